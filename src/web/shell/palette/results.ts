import type { MenuItem } from '#contract/identity/auth.ts'

/** A result in the palette. */
export type Result = {
  /** Also identifies it in the recent results. */
  id: string
  title: string
  /** Distinguishes it: the menu group, or a user's user name. */
  about: string
  icon: string
  /** Additional search terms. */
  words?: string
  /** A page, or an action of the shell. */
  leads: { to: string } | { act: () => void }
}

export type ResultGroup = { title: string; results: readonly Result[] }

/** The pages of the menu, each with its group or section. Without external links. */
export function pagesOf(menu: readonly MenuItem[], about = ''): Result[] {
  return menu.flatMap(({ id, type, title, url, icon, external, target, children }) => {
    if (type !== 'item') return pagesOf(children, title)
    if (url === null || external || target !== null) return []
    return [{ id: `page ${id}`, title, about, icon: icon ?? '', leads: { to: url } }]
  })
}

/** Results that match every word typed, best first: title prefix, then start of a word, then anywhere. */
export function findResults(results: readonly Result[], typed: string): Result[] {
  const wanted = fold(typed).split(/\s+/).filter(Boolean)
  return results
    .map((result) => ({ result, score: scoreOf(result, wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ result }) => result)
}

function scoreOf({ title, about, words = '' }: Result, wanted: readonly string[]): number {
  const heading = fold(title)
  const everything = `${heading} ${fold(about)} ${fold(words)}`
  const scores = wanted.map((word) => {
    if (heading.startsWith(word)) return 3
    if (heading.includes(` ${word}`)) return 2
    return everything.includes(word) ? 1 : 0
  })
  return scores.some((score) => score === 0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0)
}

/** Lowercase without accents: "inigo" finds "Íñigo". */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
