export type Progress = ReturnType<typeof startProgress>

const barWidth = 24
/** Without a terminal, such as in a log, one line in this time is enough. */
const lineIntervalMs = 10_000

function progressLine(label: string, done: number, total: number, remark: string): string {
  const filled = Math.floor((done / Math.max(total, 1)) * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  return `${label} ${bar} ${done}/${total}${remark === '' ? '' : `  ${remark}`}`
}

/** A progress bar on the standard error. */
export function startProgress(label: string, total: number) {
  const { stderr } = process
  let [done, shownAt, remark] = [0, Date.now(), '']
  function show(isLast: boolean) {
    if (stderr.isTTY) {
      const line = progressLine(label, done, total, remark).slice(0, (stderr.columns || 80) - 1)
      return void stderr.write(`\r\u001B[K${line}${isLast ? '\n' : ''}`)
    }
    if (!isLast && Date.now() - shownAt < lineIntervalMs) return
    shownAt = Date.now()
    stderr.write(`${label}: ${done}/${total}${remark === '' ? '' : `, ${remark}`}\n`)
  }
  show(false)
  return {
    update(count: number, text = '') {
      ;[done, remark] = [count, text]
      show(false)
    },
    /** Shows a remark beside the last count. */
    remark(text: string) {
      remark = text
      show(false)
    },
    end() {
      remark = ''
      show(true)
    },
  }
}
