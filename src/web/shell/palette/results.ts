import type { MenuItem } from '#contract/identity/auth.ts'

/** Something the palette leads to. */
export type Result = {
  /** Stands for it among the recent ones, too. */
  id: string
  title: string
  /** What tells it apart: the group it stands in, the user name of a person. */
  about: string
  icon: string
  /** Another way to ask for it. */
  words?: string
  /** A page of ours, or something the shell does. */
  leads: { to: string } | { act: () => void }
}

export type ResultGroup = { title: string; results: readonly Result[] }

/** The pages of the menu, each with the group or section it stands in. Links out of the product are left out. */
export function pagesOf(menu: readonly MenuItem[], about = ''): Result[] {
  return menu.flatMap(({ id, type, title, url, icon, external, target, children }) => {
    if (type !== 'item') return pagesOf(children, title)
    if (url === null || external || target !== null) return []
    return [{ id: `page ${id}`, title, about, icon: icon ?? '', leads: { to: url } }]
  })
}

/** Those that match every word typed, the best first: where the title begins so, then a word of it, then anywhere. */
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

/** Small letters without accents: "Íñigo" is found by "inigo". */
function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
