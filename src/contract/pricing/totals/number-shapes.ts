/** How numbers of an amount are written, and what may stand around them. For the patterns of `typed-amounts.ts` and others. */

export const ONES =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen'
export const TENS = 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety'
/** After a number: no more digits of it, and no percent. */
export const END = String.raw`(?![\d%]|[.,]\d| ?%)`
export const THOUSANDS = String.raw`\d{1,3}(?:[,'’]\d{3})+(?:\.\d\d)?`
/** "24.990" as in Europe, "20k". */
export const ALSO_THOUSANDS = String.raw`\d{2,3}\.\d{3}\b|\d{1,3}(?:\.\d)?k\b`
/** Four to six digits, but no year. */
export const UNSPACED = String.raw`(?!(?:19|20)\d\d\b)[1-9]\d{3,5}(?:\.\d\d)?`
export const LARGE = `(?:${THOUSANDS}|${ALSO_THOUSANDS}|${UNSPACED})`
export const SMALL = String.raw`\d{2,3}(?:\.\d\d)?\b`
export const ANY = `(?:${LARGE}|${SMALL})${END}`
/** Before a number: no part of it, and no name such as "F-150". */
export const START = String.raw`(?<![\w#.,'’$/-])`

/** What may follow an amount that is no count of something: the end, a mark, or a word that goes on. */
export const NO_UNIT = String.raw`${END}(?=\s*(?:$|[\n.;:!?)"“”’'+|*]|,(?!\s?\d{1,3},\d)|[–—-](?![a-z])|\p{Extended_Pictographic}|(?:and|or)\b(?! [\d#])|(?:plus|with|for|on|this|today|tomorrow|while|until|through|before|after|in|by|when|if|as|is|are|not|each|only|including|incl|MSRP|cash|firm|OBO|OAC|OTD|TTL|out the door|total|all[- ]in|down|lease|leases?|loan|financing|tax(?:es)?|fees?|payment|buys|gets|takes|drives)\b))`
