// The theme: as the system has it, light or dark; remembered where that is allowed.

{
  const themes = ["auto", "light", "dark"];
  const root = document.documentElement;
  const use = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  let theme = "auto";
  try {
    theme = localStorage.getItem("exactmatch-theme") ?? theme;
  } catch {}
  const button = document.createElement("button");
  const tell = () => {
    use(theme);
    button.textContent = `Theme: ${theme}`;
  };
  button.type = "button";
  button.className = "theme";
  button.onclick = () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try {
      localStorage.setItem("exactmatch-theme", theme);
    } catch {}
    tell();
  };
  tell();
  (document.querySelector(".masthead") ?? document.body).prepend(button);
}
