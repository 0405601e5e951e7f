import { announce, copyButtonAt } from './page-parts.js'

document.addEventListener('click', (event) => {
  const button = copyButtonAt(event.target)
  if (button !== null) void copy(button)
})

async function copy(button) {
  const field = document.getElementById(button.dataset.copyFrom)
  try {
    await navigator.clipboard.writeText(field?.value ?? button.dataset.copy)
    announce('Copied')
    button.classList.add('copied')
    setTimeout(() => button.classList.remove('copied'), 1500)
  } catch {
    // Without permission to copy, select the text instead.
    if (field !== null) field.select()
    else getSelection().selectAllChildren(button.parentElement.querySelector('code'))
  }
}
