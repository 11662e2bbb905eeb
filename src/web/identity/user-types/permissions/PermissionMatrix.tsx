import { Button, Switch, TextInput } from '@mantine/core'
import { useCallbackRef, useMediaQuery } from '@mantine/hooks'
import { IconFilterOff, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { Permission } from '#contract/permissions.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import type { Owner } from './explain.ts'
import { Legend } from './Legend.tsx'
import { type Cells, findGroups, type Matrix, type Row, toggle } from './matrix.ts'
import { MatrixBlocks } from './MatrixBlocks.tsx'
import { MatrixTable } from './MatrixTable.tsx'
import { applyPreset, type Preset } from './permission-presets.ts'
import './permissions.css'

type Props = {
  matrix: Matrix
  owner: Owner
  isReadOnly: boolean
  onChange: (wanted: Cells) => void
  /** "2 differences": stands at the switch. */
  differences?: number | undefined
  /** The switch was turned: what is compared with may only be fetched then. */
  onCompare?: (isOn: boolean) => void
  /** The bar of unsaved changes, which floats over the end of the rows. */
  children?: ReactNode
}

/** Functions by operations, each cell a permission with where it comes from. */
export function PermissionMatrix(props: Props) {
  const { matrix, owner, isReadOnly, onChange, differences, onCompare, children } = props
  const [search, setSearch] = useState('')
  const [isFiltered, setIsFiltered] = useState(false)
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const onlyDifferences = isFiltered && matrix.compared !== null
  const groups = findGroups(matrix, { search, onlyDifferences })
  const Grants = isNarrow ? MatrixBlocks : MatrixTable
  // The same functions all along, so that rows that did not change need not be drawn again.
  const turn = useCallbackRef((permission: Permission) => onChange(toggle(matrix, permission)))
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
                {differences === undefined ? 'Only differences' : `Only differences (${differences})`}
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
          <Grants {...{ matrix, owner, groups, isReadOnly }} onToggle={turn} onPick={pick} />
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
              Show every function
            </Button>
          </EmptyState>
        )}
        {children}
      </div>
    </div>
  )
}

function explainNothing(owner: Owner): string {
  if (owner.kind === 'person') return `Everything else is as ${owner.typeName} grants it.`
  return owner.comparedWith === undefined
    ? 'Functions are found by their name and by their number.'
    : `${owner.name} grants exactly what ${owner.comparedWith} does.`
}
