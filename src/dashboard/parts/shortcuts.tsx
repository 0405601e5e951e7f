import type { Child } from 'hono/jsx'

const parts = {
  list: {
    title: 'In the list of garments',
    keys: [
      [['/'], 'go to the search'],
      [['j'], 'next garment'],
      [['k'], 'previous garment'],
      [['Enter'], 'open the garment'],
      [['Tab', '↑', '↓', '←', '→'], 'move between the fields of rows'],
      [['Esc'], 'undo the typing in a field'],
    ],
  },
  garment: {
    title: "On a garment's page",
    keys: [
      [['j'], 'next garment of the list'],
      [['k'], 'previous garment of the list'],
      [['u'], 'back to the list'],
      [['c'], 'save, and confirm all tags'],
      [['←', '→'], 'move the focused picture'],
      [['b', 's', 'm', 'o'], 'confirm brand, size, material or origin of the label'],
    ],
  },
  review: {
    title: 'In the review',
    keys: [
      [['1', '2', '3', '4'], 'choose a value'],
      [['↑', '↓'], 'move between values'],
      [['Enter'], 'confirm'],
      [['→'], 'next garment; saves a changed value'],
      [['←'], 'previous garment'],
    ],
  },
  lines: {
    title: 'At an end of a measuring line',
    keys: [
      [['↑', '↓', '←', '→'], 'move it; with Shift, ten times as far'],
      [['Delete'], 'remove the line'],
      [['Enter'], 'save the lines'],
    ],
  },
} as const satisfies Readonly<Record<string, ShortcutPart>>

interface ShortcutPart {
  readonly title: string
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[]
}

const Keys = ({ keys, does }: { keys: readonly string[]; does: Child }) => (
  <div>
    <dt>
      {keys.map((key) => (
        <>
          <kbd>{key}</kbd>{' '}
        </>
      ))}
    </dt>
    <dd>{does}</dd>
  </div>
)

/**
 * Help for a page's keyboard shortcuts, opened by `?` or a button. The script finds the target of a key by `aria-
 * keyshortcuts`. Single-character keys can be switched off, because speech input and slips type them too.
 */
export const Shortcuts = ({ of }: { of: readonly (keyof typeof parts)[] }) => (
  <div class="shortcuts" data-with-scripts="" hidden>
    <button class="quiet" type="button" id="show-shortcuts" aria-haspopup="dialog">
      Keyboard shortcuts <kbd>?</kbd>
    </button>
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keyboard shortcuts</h2>
      {of
        .map((name): ShortcutPart => parts[name])
        .map(({ title, keys }) => (
          <section>
            <h3>{title}</h3>
            <dl class="facts">
              {keys.map(([each, does]) => (
                <Keys keys={each} does={does} />
              ))}
            </dl>
          </section>
        ))}
      <dl class="facts">
        <Keys keys={['?']} does="show this" />
      </dl>
      <div class="check">
        <input type="checkbox" id="single-keys" />
        <label for="single-keys">Letters and signs are shortcuts in this browser</label>
      </div>
      <p>
        <button class="plain" type="button" id="hide-shortcuts" autofocus>
          Close
        </button>
      </p>
    </dialog>
    <script src="/assets/scripts/shortcuts.js" type="module"></script>
  </div>
)
