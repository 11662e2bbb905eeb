/**
 * Words that buyers and sellers use for the same thing, as `plainWords` writes them. A buyer who writes the first finds vehicles with
 * any of the others.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  pickup: ['truck'],
  truck: ['pickup'],
  suv: ['sport utility', 'crossover'],
  crossover: ['suv', 'sport utility'],
  minivan: ['van'],
  wagon: ['estate'],
  convertible: ['cabriolet', 'roadster', 'spyder', 'spider'],
  coupe: ['2door'],
  chevy: ['chevrolet'],
  vw: ['volkswagen'],
  benz: ['mercedes'],
  merc: ['mercedes'],
  beemer: ['bmw'],
  bimmer: ['bmw'],
  caddy: ['cadillac'],
  '4x4': ['4wd', 'awd', '4 wheel', 'four wheel', 'all wheel'],
  '4wd': ['4x4', '4 wheel', 'four wheel'],
  awd: ['all wheel', 'allwheel'],
  fwd: ['front wheel', 'frontwheel'],
  rwd: ['rear wheel', 'rearwheel'],
  grey: ['gray'],
  gray: ['grey'],
  stick: ['manual'],
  ev: ['electric'],
  bev: ['electric'],
  phev: ['plugin'],
  gas: ['gasoline', 'petrol'],
  petrol: ['gasoline', 'gas'],
  preowned: ['used'],
  certified: ['cpo'],
}

/** One word of a search: vehicles with one of these are found. `isStart`: only at the start of a word, because it is too short. */
export type SearchWord = Readonly<{ any: readonly string[]; isStart: boolean }>

/** Most searches have three words. */
const MOST_WORDS = 12

/** In lower case and without marks: "F-150" is "f150", and "Gas/Electric" two words. The query of the server does the same. */
const plainWords = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[-.'’]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Words that say nothing about a vehicle. A search of nothing else finds all. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  'a an and auto autos best buy car cars cheap cheapest deal deals for good in me near nice of sale the vehicle vehicles with'.split(
    ' ',
  ),
)

/** Whether a text has a letter or a digit. */
export const hasWords = (text: string): boolean => plainWords(text).length > 0

/** "f 150" is one name, also where it is written "F-150". Years are no part of one. */
function joinNames(words: readonly string[]): (string | SearchWord)[] {
  return words.flatMap((word, at): (string | SearchWord)[] => {
    const next = words[at + 1] ?? ''
    if (isNamePart(words[at - 1] ?? '', word)) return []
    return isNamePart(word, next) ? [{ any: [`${word}${next}`, `${word} ${next}`], isStart: true }] : [word]
  })
}
const isNamePart = (word: string, next: string): boolean =>
  /^\p{L}$/u.test(word) && /^\d{1,4}$/.test(next) && !/^(19|20)\d\d$/.test(next)

/** The words of a search, each with what else it may be called: "pickups" finds pickups and trucks. */
export const searchWords = (text: string): SearchWord[] =>
  joinNames(plainWords(text))
    .filter((word) => typeof word !== 'string' || !EMPTY_WORDS.has(word))
    .slice(0, MOST_WORDS)
    .map((word) => {
      if (typeof word !== 'string') return word
      const single = /^\p{L}{3,}s$/u.test(word) && !word.endsWith('ss') ? [word.slice(0, -1)] : []
      const names = [word, ...single]
      const any = [...new Set(names.flatMap((name) => [name, ...(SYNONYMS[name] ?? [])]))]
      return { any, isStart: /^\p{L}{1,2}$/u.test(word) }
    })
