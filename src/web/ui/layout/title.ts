let brand = ''
let page = ''
/** The names of the records that are open, the last one on top: a page, then a drawer over it. */
let records: readonly { name: string }[] = []
let secondsLeft: number | null = null

/** Sets the branded part of every page title. */
export function setBrandTitle(title: string): void {
  brand = title
  write()
}

/** Specification section 2: page name, separator, branded title. */
export function setPageTitle(title: string): void {
  page = title
  write()
}

/** While a record is open, its name is the page name, and so it is in the browser's history. @returns closes it */
export function showRecordTitle(name: string): () => void {
  const record = { name }
  records = [...records, record]
  write()
  return () => {
    records = records.filter((other) => other !== record)
    write()
  }
}

/** Specification section 4: during the warning, the title shows a countdown; null restores the page title. */
export function setCountdown(seconds: number | null): void {
  if (seconds === secondsLeft) return
  secondsLeft = seconds
  write()
}

function write(): void {
  const own = [records.at(-1)?.name ?? page, brand].filter(Boolean).join(' | ')
  document.title = secondsLeft === null ? own : `(${secondsLeft}) Signing out soon | ${brand}`
}
