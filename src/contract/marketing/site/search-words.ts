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

/** The words of a search, each with what else it may be called: "pickups" finds pickups and trucks. */
export const searchWords = (text: string): SearchWord[] =>
  plainWords(text)
    .slice(0, MOST_WORDS)
    .map((word) => {
      const single = /^\p{L}{3,}s$/u.test(word) && !word.endsWith('ss') ? [word.slice(0, -1)] : []
      const names = [word, ...single]
      const any = [...new Set(names.flatMap((name) => [name, ...(SYNONYMS[name] ?? [])]))]
      return { any, isStart: /^\p{L}{1,2}$/u.test(word) }
    })
