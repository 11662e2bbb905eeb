/** Between two cells of a table row, and between a term and what it means. */
export const CELL = '\t'
/** After bold words at the start of a line, which are a label if they are a known one. */
export const BOLD_END = '\uE002'
/** A line break within a cell. */
export const CELL_BREAK = '\v'

/** What only the reader of labels needs becomes spaces and line breaks. */
export const plainLines = (lines: string): string =>
  lines
    .replaceAll(BOLD_END, '')
    .replaceAll(CELL_BREAK, '\n')
    .replaceAll(/[^\S\n]*\t[^\S\n]*/g, '  ')
    .trim()
