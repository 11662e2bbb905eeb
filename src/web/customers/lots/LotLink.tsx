import { Link } from '@tanstack/react-router'
import type { Lot } from '#contract/customers/lots/lots.ts'

/** Opens a lot from its name, as a link that can be copied or opened in a new tab. */
export function LotLink({ lot }: { lot: Lot }) {
  return (
    <Link
      from="/customers/lots"
      to="/customers/lots"
      search={(before) => ({ ...before, lot: lot.id })}
      className="fc-name"
    >
      <bdi>{lot.name}</bdi>
    </Link>
  )
}
