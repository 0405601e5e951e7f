/* Puts the reader's domain and key into examples: what the dashboard or a form of this tab has left. */
const texts = []
for (const code of document.querySelectorAll('.code code')) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  while (walker.nextNode())
    if (/ann\.example|YOUR_API_KEY/.test(walker.currentNode.data))
      texts.push([walker.currentNode, walker.currentNode.data])
}

export const ownValue = (name) =>
  sessionStorage.getItem(`docs-${name}`) || (name === 'domain' && localStorage.getItem('domain')) || ''

export function fillExamples() {
  for (const [node, text] of texts)
    node.data = text
      .replaceAll(/\bann\.example\b/g, () => ownValue('domain') || 'ann.example')
      .replaceAll('YOUR_API_KEY', () => ownValue('api-key') || 'YOUR_API_KEY')
}

fillExamples()
