/** Longer queries aren't passed on: no campaign has one, and browsers may reject what comes of it. */
const MAX_QUERY = 2_000

/**
 * The address that a short URL leads to: the target with its own parameters, those of the preset campaign, and those with
 * which it was opened, so that one printed code can be placed in several ways. The later one wins, except for `short_url`.
 * @param target a path of the site, or an address
 */
export function withParameters(
  target: string,
  { preset, opened }: { preset: Readonly<Record<string, string | null>>; opened: URLSearchParams },
): string {
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(target) ?? []
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(preset)) if (value !== null) parameters.set(name, value)
  if (opened.toString().length <= MAX_QUERY) {
    for (const name of new Set(opened.keys())) parameters.delete(name)
    for (const [name, value] of opened) parameters.append(name, value)
  }
  // By the key, a lead names the short URL that was opened: no one else says which one it was.
  if (preset['short_url'] != null) parameters.set('short_url', preset['short_url'])
  const text = parameters.toString()
  // Untouched unless something was added: a target may write its parameters in its own way.
  if (text === new URLSearchParams(query).toString()) return target
  return `${before}${text === '' ? '' : `?${text}`}${fragment}`
}

/** Parameters by which advertisers recognize a visit, beside those that start with `utm_`. */
const CLICK_IDS: ReadonlySet<string> = new Set([
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'short_url',
])

/** A path of the site with the campaign parameters of the address that was opened, so that a redirect doesn't lose them. */
export function withCampaign(path: string, opened: Iterable<readonly [string, string]>): string {
  const kept = [...opened].filter(([name]) => name.startsWith('utm_') || CLICK_IDS.has(name))
  return withParameters(path, {
    preset: {},
    opened: new URLSearchParams(kept.map(([name, value]) => [name, value])),
  })
}
