let brand = ''
let page = ''
let secondsLeft: number | null = null

/** The branded part of every title. */
export function setBrandTitle(title: string): void {
  brand = title
  write()
}

/** Specification section 2: the page's name, a separator, the branded title. */
export function setPageTitle(title: string): void {
  page = title
  write()
}

/** Specification section 4: during the warning the title counts down; null brings the page's own back. */
export function setCountdown(seconds: number | null): void {
  if (seconds === secondsLeft) return
  secondsLeft = seconds
  write()
}

function write(): void {
  const own = page === '' ? brand : `${page} | ${brand}`
  document.title = secondsLeft === null ? own : `(${secondsLeft}) Signing out soon | ${brand}`
}
