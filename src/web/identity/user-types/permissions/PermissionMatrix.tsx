import { Button, Switch, TextInput } from '@mantine/core'
import { useCallbackRef, useMediaQuery } from '@mantine/hooks'
import { IconFilterOff, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import type { Owner } from './explain.ts'
import { type Cells, findGroups, type Matrix, type Row, toggle } from './matrix.ts'
import { MatrixBlocks } from './MatrixBlocks.tsx'
import { MatrixTable } from './MatrixTable.tsx'
import { applyPreset, type Preset } from './permission-presets.ts'
import './permissions.css'
import { CellMark } from './CellMark.tsx'

type Props = {
  matrix: Matrix
  owner: Owner
  isReadOnly: boolean
  onChange: (wanted: Cells) => void
  /** Number shown on the switch. */
  differences?: number | undefined
  /** Called when the switch changes, so that the compared permissions can be loaded then. */
  onCompare?: (isOn: boolean) => void
  /** The bar of unsaved changes, which floats over the last rows. */
  children?: ReactNode
}

/** Functions by operations; each cell is a permission and shows where it comes from. */
export function PermissionMatrix(props: Props) {
  const { matrix, owner, isReadOnly, onChange, differences, onCompare, children } = props
  const [search, setSearch] = useState('')
  const [isFiltered, setIsFiltered] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const onlyDifferences = isFiltered && matrix.compared !== null
  const groups = findGroups(matrix, { search, onlyDifferences })
  const Grants = isNarrow ? MatrixBlocks : MatrixTable
  // Stable functions, so that unchanged rows don't rerender.
  const toggleCell = useCallbackRef((permission: Permission) => onChange(toggle(matrix, permission)))
  const pick = useCallbackRef((row: Row, preset: Preset) => onChange(applyPreset(matrix, row, preset)))
  function compare(isOn: boolean) {
    setIsFiltered(isOn)
    onCompare?.(isOn)
  }
  return (
    <div className="fc-matrix">
      <div className="fc-toolbar">
        <TextInput
          type="search"
          className="fc-search"
          aria-label="Search functions"
          placeholder="Search functions"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<IconSearch size={15} aria-hidden="true" />}
        />
        {(matrix.compared !== null || onCompare) && (
          <Switch
            size="xs"
            label={
              <bdi>
                {differences === undefined ? 'Differences only' : `Differences only (${differences})`}
              </bdi>
            }
            checked={isFiltered}
            onChange={(event) => compare(event.currentTarget.checked)}
          />
        )}
        <Legend of={owner.kind} />
      </div>
      <div className="fc-matrix-frame">
        {groups.length > 0 ? (
          <Grants {...{ matrix, owner, groups, isReadOnly }} onToggle={toggleCell} onPick={pick} />
        ) : (
          <EmptyState
            icon={<IconFilterOff size={18} />}
            title={search.trim() === '' ? 'No differences' : `No function matches “${search.trim()}”`}
            text={explainNothing(owner)}
          >
            <Button
              variant="default"
              onClick={() => {
                setSearch('')
                compare(false)
              }}
            >
              Show all functions
            </Button>
          </EmptyState>
        )}
        {children}
      </div>
    </div>
  )
}

function explainNothing(owner: Owner): string {
  if (owner.kind === 'user') return `All permissions match ${owner.typeName}.`
  return owner.comparedWith === undefined
    ? 'Search by function name or number.'
    : `${owner.name} grants the same permissions as ${owner.comparedWith}.`
}

const MARKS = {
  inherited: { origin: 'inherited', isLocked: false, label: 'inherited' },
  set: { origin: 'set', isLocked: false, label: 'granted here' },
  denied: { origin: 'denied', isLocked: false, label: 'denied here' },
  locked: { origin: 'none', isLocked: true, label: "you don't have this" },
} as const
const SHOWN = {
  user: [MARKS.inherited, MARKS.set, MARKS.denied, MARKS.locked],
  type: [MARKS.set, MARKS.locked],
}

/** What the marks in the cells mean. */
function Legend({ of }: { of: Owner['kind'] }) {
  return (
    <ul className="fc-legend" aria-label="Legend">
      {SHOWN[of].map(({ origin, isLocked, label }) => (
        <li key={label}>
          <CellMark origin={origin} isLocked={isLocked} />
          {label}
        </li>
      ))}
      <li>
        <span className="fc-legend-unsaved" aria-hidden="true" />
        unsaved
      </li>
    </ul>
  )
}
