import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { type Load, Loaded } from '#web/ui/record/Loaded.tsx'
import { CarbonFigures } from './CarbonFigures.tsx'
import { FiguresLoading } from './FiguresLoading.tsx'

type Props = { load: Load<Output<typeof dashboard.carbon>> }

/** The emissions of the current inventory. Hidden without one. */
export function Carbon({ load }: Props) {
  return (
    <Loaded
      query={load}
      what="the emissions"
      shape={
        <FiguresLoading
          label="Loading emissions"
          titles={['Emissions', 'Scope 1', 'Scope 2, market-based', 'Scope 3', 'Data points due so far']}
        />
      }
    >
      {(figures) => figures && <CarbonFigures figures={figures} />}
    </Loaded>
  )
}
