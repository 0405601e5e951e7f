/* Examples call the service at which they are read; those for operators are about one that is not there yet. */
const placeholder = /http:\/\/localhost:8787|https:\/\/tagging\.example\.com/g

const isForOperators = location.pathname.startsWith('/docs/operations/')
for (const code of isForOperators ? [] : document.querySelectorAll('.code code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode } = texts
    currentNode.data = currentNode.data.replaceAll(placeholder, location.origin)
  }
}
