let count = 0

/** A name that is unique in this worker: "Lot 7". */
export const fresh = (word: string): string => `${word} ${(count += 1)}`

/** The same for a code or user name, without a space: "P7". */
export const freshCode = (word: string): string => `${word}${(count += 1)}`
