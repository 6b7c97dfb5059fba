"""GAMBLE (Huang et al. 2007): one committee for many classes, or one for each class."""
