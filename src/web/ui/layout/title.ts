let brand = ''
let page = ''
let record: string | null = null
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

/** On the page of a record, its name is the page name; null when the page is left. */
export function setRecordTitle(name: string | null): void {
  record = name
  write()
}

/** Specification section 4: during the warning, the title shows a countdown; null restores the page title. */
export function setCountdown(seconds: number | null): void {
  if (seconds === secondsLeft) return
  secondsLeft = seconds
  write()
}

function write(): void {
  const own = [record ?? page, brand].filter(Boolean).join(' | ')
  document.title = secondsLeft === null ? own : `(${secondsLeft}) Signing out soon | ${brand}`
}
