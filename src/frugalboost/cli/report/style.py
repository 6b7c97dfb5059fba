"""How the page looks, light and dark, on a telephone and on a desk."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --faint: #808080; --line: #d0d7de; --bar: #d3d3d3;
  --band: #f3f5f7; --link: #0057a8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181d; --ink: #e6e9ed; --faint: #9aa4af; --line: #3a424c; --bar: #4a525c;
    --band: #1d232a; --link: #7ab8ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 0 0 0.5rem; }
p { max-width: 46rem; margin: 0.4rem 0; }
a { color: var(--link); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; list-style: none; }
section { border-top: 1px solid var(--line); padding: 1rem 0; }
.parts {
  display: grid; gap: 1rem 2rem; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
}
.parts > * { min-width: 0; }
.scroll { overflow-x: auto; }
figure { margin: 0; }
figure.wide { grid-column: 1 / -1; }
figure.wide svg { min-width: 42rem; }
figure:not(.wide) { max-width: 36rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: currentColor; }
figcaption, caption { color: var(--ink); font-size: 0.9rem; text-align: left; padding: 0.25rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; min-width: 18rem; }
th, td { padding: 0.25rem 0.6rem; text-align: left; vertical-align: top; }
tbody tr:nth-child(odd) { background: var(--band); }
thead th { border-bottom: 1px solid var(--line); vertical-align: bottom; }
th { font-weight: 600; }
.numbers th, .numbers td { overflow-wrap: normal; }
.numbers tbody th { max-width: 14rem; min-width: 8.5rem; overflow-wrap: anywhere; }
.numbers td, .numbers thead th:not(:first-child) { text-align: right; }
.names th { min-width: 7.5rem; }
.names td { min-width: 8rem; }
@media (max-width: 30rem) {
  table { font-size: 0.875rem; }
  th, td { padding: 0.25rem 0.4rem; }
  .numbers tbody th { min-width: 7rem; }
}
@media print { nav { display: none; } section { break-inside: avoid; } }
"""
