"""The Weisfeiler-Leman kernels of Opitz, Daza and Frank (2021): WLK and WWLK."""
