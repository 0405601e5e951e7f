/* Optional: closes long sections on phones. No module, so that it runs before the page is painted. */
if (matchMedia('(max-width: 47.99rem)').matches)
  for (const section of document.querySelectorAll('[data-wide]'))
    section.open = section.querySelector('.problem') !== null
