import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { type Load, Loaded } from '#web/ui/record/Loaded.tsx'
import { FiguresLoading } from './FiguresLoading.tsx'
import { StockFigures } from './StockFigures.tsx'

type Props = { load: Load<Output<typeof dashboard.stock>> }

/** Inventory figures. They load separately, so the rest of the page doesn't wait for a large inventory. */
export function Stock({ load }: Props) {
  return (
    <Loaded
      query={load}
      what="the inventory figures"
      shape={
        <FiguresLoading
          label="Loading inventory figures"
          titles={[
            'In stock',
            'Published',
            'For sale, not published',
            'Not for sale',
            'Median days in stock',
          ]}
        />
      }
    >
      {(stock) => <StockFigures stock={stock} />}
    </Loaded>
  )
}
