import { IconCornerDownRight } from '@tabler/icons-react'
import type { UserTypeChoice } from '#contract/identity/user-types/user-types.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  /** Null while loading. */
  choices: readonly UserTypeChoice[] | null
  selectedId: string | undefined
}

const WIDTHS = [70, 55, 62, 48, 58]

/** The caller's user type and all types below it, each with its number of users. */
export function TypeTree({ choices, selectedId }: Props) {
  return (
    <nav className="fc-types" aria-label="User types" aria-busy={choices === null}>
      <span className="fc-menu-group-name">User types</span>
      {choices === null && <TreeSkeleton />}
      <ul>
        {choices?.map(({ id, name, depth, people }) => (
          <li key={id}>
            <Link
              from="/administration/user-types"
              to="/administration/user-types"
              search={{ type: id }}
              className="fc-menu-item"
              style={{ paddingInlineStart: 10 + 14 * Math.min(depth, 6) }}
              {...(id === selectedId && { 'aria-current': 'page' as const })}
              title={name}
            >
              {depth > 0 && <IconCornerDownRight size={13} className="fc-flip" aria-hidden="true" />}
              <span className="fc-cut fc-grow">
                <bdi>{name}</bdi>
              </span>
              <span className="fc-number fc-small">
                {people.toLocaleString()}
                <span className="fc-hidden">
                  {count(people, ' user', ' users').replace(/^[\d.,\s]+/, ' ')}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function TreeSkeleton() {
  return (
    <>
      <output className="fc-hidden">Loading user types</output>
      {WIDTHS.map((width, index) => (
        <span
          key={width}
          className="fc-types-wait"
          style={{ paddingInlineStart: 10 + 14 * Math.min(index, 2) }}
        >
          <span className="fc-skeleton" style={{ inlineSize: `${width}%` }} />
        </span>
      ))}
    </>
  )
}
