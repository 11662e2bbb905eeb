/** The first match counts, because most browsers name others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]

const find = (names: typeof BROWSERS, text: string): string | undefined =>
  names.find(([sign]) => sign.test(text))?.[1]

/**
 * "Firefox on Windows" from a user agent; for a program its first word. Never the whole text, which reveals
 * too much.
 */
export function describeDevice(userAgent: string | null): string {
  const text = userAgent?.trim() ?? ''
  const [browser, system] = [find(BROWSERS, text), find(SYSTEMS, text)]
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  const [program] = /^[A-Za-z][\w.-]{0,39}/.exec(text) ?? []
  if (program === undefined || program === 'Mozilla') return system ?? 'Unknown device'
  return program
}
