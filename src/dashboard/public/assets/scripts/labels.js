/** Opens the browser's dialog for printing. */
document.querySelector('[data-print]')?.addEventListener('click', () => window.print())
