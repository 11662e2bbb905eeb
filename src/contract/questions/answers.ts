/** A choice that isn't in the list. */
export type OtherChoice = Readonly<{ other: string }>
/** The value of a choice. */
export type ChosenValue = string | OtherChoice

/** A stored file. The server checks that it exists and belongs to the sender. */
export type FileAnswer = Readonly<{ id: string; name: string; bytes: number; mediaType: string }>
/** The chosen value by the code of the row. */
export type MatrixAnswer = Readonly<Record<string, string>>
/** The value by the code of the column; a number in plain digits. */
export type TableRow = Readonly<Record<string, string | boolean>>
/** Missing parts are absent. */
export type AddressAnswer = Readonly<{
  street?: string
  city?: string
  region?: string
  postalCode?: string
  country?: string
}>
export type PersonAnswer = Readonly<{ name: string; role?: string; email?: string; phone?: string }>
/** `version` of the text that was shown. */
export type ConsentAnswer = Readonly<{ isGiven: boolean; version: number }>
/** Instead of an answer, for the obligations that allow it. */
export type NotAnswered = Readonly<{ refused: string } | { notApplicable: true }>

/**
 * An answer by the type of its question. Text, a date (`2026-03-01`), a number in plain digits, the ID of a facility
 * and the value of a choice are strings; a rating is a number.
 */
export type Answer =
  | string
  | number
  | boolean
  | OtherChoice
  | readonly ChosenValue[]
  | MatrixAnswer
  | readonly TableRow[]
  | readonly FileAnswer[]
  | AddressAnswer
  | PersonAnswer
  | ConsentAnswer
  | NotAnswered

/** Answers by the code of their question. */
export type Answers = Readonly<Record<string, Answer>>
