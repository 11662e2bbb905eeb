import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { type Fact, FactList } from './Facts.tsx'
import { Loaded, useLoad } from './Loaded.tsx'
import './detail-drawer.css'

/** What a drawer shows of a record. */
type Parts = {
  title: string
  about: ReactNode
  /** Beside the title: the state. */
  state?: ReactNode
  /** Above the facts: what the reader must know first. */
  note?: ReactNode
  facts: readonly Fact[]
  /** Beside Close. */
  actions?: ReactNode
}

type Props<Data> = {
  query: Query<Data>
  /** "this delivery": completes "Couldn't load ...". */
  what: string
  /** The title until it is loaded: "Delivery". */
  noun: string
  /** In px. */
  size?: number
  onClose: () => void
  renderParts: (data: Data) => Parts
  /** Below the facts. */
  children?: (data: Data) => ReactNode
}

/** A record to read in a drawer: its facts, what belongs to it, and what can be done. `RecordDrawer` is for editing. */
export function DetailDrawer<Data>({
  query,
  what,
  noun,
  onClose,
  renderParts,
  children,
  ...rest
}: Props<Data>) {
  const load = useLoad(query)
  const shown = load.data === undefined ? null : renderParts(load.data)
  return (
    <FormDrawer
      title={shown?.title ?? noun}
      about={shown?.about}
      tools={shown?.state}
      onClose={onClose}
      {...rest}
    >
      <Loaded query={load} what={what} shape="facts">
        {(data) => (
          <div className="fc-form">
            <div className="fc-detail">
              {shown?.note}
              <FactList facts={shown?.facts ?? []} />
              {children?.(data)}
            </div>
            <div className="fc-form-footer">
              <span className="fc-grow" />
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
              {shown?.actions}
            </div>
          </div>
        )}
      </Loaded>
    </FormDrawer>
  )
}
