export const element = (name, text, className = '') =>
  Object.assign(document.createElement(name), { textContent: text, className })
