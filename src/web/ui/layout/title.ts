let brand = ''
let page = ''
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

/** Specification section 4: during the warning, the title shows a countdown; null restores the page title. */
export function setCountdown(seconds: number | null): void {
  if (seconds === secondsLeft) return
  secondsLeft = seconds
  write()
}

function write(): void {
  const own = page === '' ? brand : `${page} | ${brand}`
  document.title = secondsLeft === null ? own : `(${secondsLeft}) Signing out soon | ${brand}`
}
