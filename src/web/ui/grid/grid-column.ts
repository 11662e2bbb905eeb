import type { ReactNode } from 'react'
import type { PersonFormat } from '#contract/entries/person-format.ts'

/** `unit`: choices are proposed and other words are kept as they are; `choice`: one of the choices or a refusal. */
export type CellKind = 'text' | 'number' | 'date' | 'choice' | 'unit'

/** `value` is what a cell keeps; `label` and `aliases` are what people write for it. */
export type GridChoice = Readonly<{ value: string; label: string; aliases?: readonly string[] }>

export type GridColumn = Readonly<{
  key: string
  title: string
  /** What else the first line of a pasted block may call it. */
  aliases?: readonly string[]
  kind: CellKind
  /** In px. */
  width: number
  choices?: readonly GridChoice[]
  /** Nobody writes here: what stands there follows from the row. */
  isFixed?: boolean
  /** Of a fixed column: what is drawn. */
  show?: (row: GridRow) => ReactNode
  /** Of a fixed column: what copying takes along. */
  text?: (row: GridRow) => string
}>

/**
 * One row. `cells`: by the key of the column, what it keeps: a number as plain digits ("1234.5"), a day as "2025-01-31",
 * a choice by its value; empty is ''. What could not be read stays as it was written, and `refused` says why.
 */
export type GridRow = Readonly<{
  key: string
  cells: Readonly<Record<string, string>>
  refused: Readonly<Record<string, string>>
}>

/** What is told at a cell besides what the grid itself refuses. */
export type CellProblem = Readonly<{ tone: 'error' | 'warning'; text: string }>

/** What a grid is made of, besides its rows. */
export type GridSettings = Readonly<{
  columns: readonly GridColumn[]
  /** Cells of a new row; null where rows cannot be added. */
  blank: Readonly<Record<string, string>> | null
  /** Rows at most; what is pasted beyond is handed back. */
  most: number
  /** Why nothing may be written into a row, as a sentence; null where it may. */
  lockOf?: (row: GridRow) => string | null
  format: PersonFormat
}>

/** A row as it is loaded: nothing of it refused. */
export function gridRow(key: string, cells: Readonly<Record<string, string>>): GridRow {
  return { key, cells, refused: {} }
}
