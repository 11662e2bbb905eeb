import { UnstyledButton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useRef } from 'react'
import type { List } from '#contract/lists/list.ts'
import { describe } from '#contract/permission-text.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useViewOnlyExportLock } from '#web/session/use-impersonation.ts'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Tip } from '#web/ui/controls/Tip.tsx'
import type { ExportRequest } from './export-list.ts'
import { exportedColumns } from './exported-columns.ts'
import { columnsOf, type ListState } from '../list-state.ts'
import { countSelected, isTooMany, type Selected } from '../selection/selection.ts'
import './export-menu.css'

type Props = {
  list: List
  state: Pick<ListState, 'columns' | 'sort' | 'search' | 'filter'>
  /** How many rows match the search and the filter. */
  filtered: number
  /** Exports only these rows, from the selection bar. */
  selected?: Selected
}

type Format = ExportRequest['format']
const FORMATS = [
  { format: 'xlsx', name: 'Excel workbook', ending: 'XLSX' },
  { format: 'csv', name: 'CSV file', ending: 'CSV' },
] as const

/**
 * Exports exactly what the list shows, or the selected rows of it. Lists that can't be exported don't have this
 * menu.
 */
export function ExportMenu({ list, state, filtered, selected }: Props) {
  const holds = useHolds()
  const viewOnlyLock = useViewOnlyExportLock()
  const isBusy = useRef(false)
  if (list.exports === null) return null
  const rows = selected ? countSelected(selected, filtered) : filtered
  const isMissing = holds(list.exports) === false
  const reason = isMissing
    ? `You don't have permission to do this. It requires ${describe(list.exports)}.`
    : (viewOnlyLock ?? explainLock({ list, rows, selected }))
  const trigger = (
    <>
      <IconDownload size={selected ? 16 : 18} stroke={1.6} aria-hidden="true" />
      <span className={selected ? '' : 'fc-hidden'}>Export</span>
    </>
  )
  const className = selected ? 'fc-export fc-export-verb' : 'fc-export'
  if (reason !== null) {
    return (
      <Tip label={reason}>
        <UnstyledButton type="button" className={className} aria-disabled aria-description={reason}>
          {trigger}
        </UnstyledButton>
      </Tip>
    )
  }

  async function start(format: Format, columns: readonly string[]) {
    if (isBusy.current) return
    isBusy.current = true
    // Loaded on demand: it isn't needed to read a list.
    const { exportList } = await import('./export-list.ts')
    await exportList({ list, state: { ...state, columns }, rows, format, ...(selected && { selected }) })
    isBusy.current = false
  }

  const named = (columns: readonly string[], how: string) =>
    `${count(rows, ...list.nouns)}, ${count(exportedColumns(list, columns).length, 'column', 'columns')}, ${how}`
  const every = columnsOf(list, (permission) => holds(permission) === true).map(({ id }) => id)
  return (
    <DropMenu className={className} kind="menu" side="end" trigger={trigger}>
      <Formats
        title={named(state.columns, 'as shown')}
        onStart={(format) => void start(format, state.columns)}
      />
      {list.exportsEverything === true && (
        <Formats
          title={named(every, 'everything')}
          suffix=" with everything"
          onStart={(format) => void start(format, every)}
        />
      )}
    </DropMenu>
  )
}

type FormatsProps = { title: string; suffix?: string; onStart: (format: Format) => void }

function Formats({ title, suffix = '', onStart }: FormatsProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-label={title}>
      <p className="fc-menu-group-name" aria-hidden="true">
        <bdi>{title}</bdi>
      </p>
      {FORMATS.map(({ format, name, ending }) => (
        <button
          key={format}
          type="button"
          role="menuitem"
          className="fc-drop-item"
          onClick={() => onStart(format)}
        >
          <span className="fc-grow">
            {name}
            {suffix}
          </span>
          <span className="fc-small fc-faint">{ending}</span>
        </button>
      ))}
    </div>
  )
}

type Lock = { list: List; rows: number; selected: Selected | undefined }

/** Why there is nothing to export right now; null if there is. */
function explainLock({ list, rows, selected }: Lock): string | null {
  if (rows === 0) return `There are no ${list.nouns[1]} to export.`
  const tooMany = selected !== undefined && isTooMany(selected)
  return tooMany ? 'Too many rows are selected one by one. Use filters to narrow the list instead.' : null
}
