import { joinNames } from '#web/ui/layout/join-names.ts'

/** A sentence about names in English: `sayPresent('is here too', 'are here too')`. */
export const sayPresent =
  (one: string, several: string) =>
  (names: readonly string[]): string =>
    `${joinNames(names, 'and')} ${names.length === 1 ? one : several}`
