/** "lot" as "Lot": for the beginning of a sentence or a title. */
export const capitalize = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`
