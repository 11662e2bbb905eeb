import type { ReactNode } from 'react'
import type { LocaleFormat } from '#contract/parsing/locale-format.ts'
import type { ParseResult } from '#contract/parsing/parse-number.ts'

/** `unit`: suggests choices and accepts other text; `choice`: only accepts one of the choices. */
export type CellKind = 'text' | 'number' | 'date' | 'choice' | 'unit'

/** `value` is stored; `label` and `aliases` are accepted as input. */
export type GridChoice = Readonly<{ value: string; label: string; aliases?: readonly string[] }>

export type GridColumn = Readonly<{
  key: string
  title: string
  /** Other names for this column in the first line of a pasted block. */
  aliases?: readonly string[]
  kind: CellKind
  /** In px. */
  width: number
  choices?: readonly GridChoice[]
  /** For a number: it is an amount in this currency, and may be entered with its sign or code. */
  currency?: string
  /** Reads input by the domain's own names instead of by the choices. */
  read?: (text: string) => ParseResult
  /** Read-only: computed from the row. */
  isFixed?: boolean
  /** Stays in view at the end of the frame while columns before it are scrolled to, so that it is never cut. */
  isPinned?: boolean
  /** For a read-only column: what is rendered. */
  show?: (row: GridRow) => ReactNode
  /** For a read-only column: what is copied. */
  text?: (row: GridRow) => string
}>

/**
 * One row. `cells` holds stored values by column key: a number as plain digits ("1234.5"), a date as "2025-01-31",
 * a choice by its value; empty is ''. Invalid input is stored as typed, and `refused` holds the reason.
 */
export type GridRow = Readonly<{
  key: string
  cells: Readonly<Record<string, string>>
  refused: Readonly<Record<string, string>>
}>

/** A message for a cell, in addition to the grid's own validation. */
export type CellProblem = Readonly<{ tone: 'error' | 'warning'; text: string }>

/** The configuration of a grid, without its rows. */
export type GridSettings = Readonly<{
  columns: readonly GridColumn[]
  /** Cells of a new row; null if rows can't be added. */
  blank: Readonly<Record<string, string>> | null
  /** Maximum number of rows; pasted rows beyond it are returned. */
  most: number
  /** Why a row can't be edited, as a sentence; null if it can. */
  lockOf?: (row: GridRow) => string | null
  format: LocaleFormat
}>

/** A loaded row, without errors. */
export function gridRow(key: string, cells: Readonly<Record<string, string>>): GridRow {
  return { key, cells, refused: {} }
}
