import { createLink, type LinkComponent, useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from './permission-of.ts'

/** The router's addresses are paths. */
const ANY_HOST = 'http://any'

/**
 * The parameters that open a record of the page's list. It is read with the function of the page. Others are not here: `new` opens a
 * blank form, and `layout` is also how leads are shown.
 */
const RECORDS = new Set(
  `address channel customer delivery destination domain entry factor handler lead lot mail message person picture price result rule
  shortUrl source submission template type value webhook`.split(/\s+/),
)

/** Of pages that explain themselves what is missing, the permissions of which any opens them. */
const OPENED_BY: readonly [pages: RegExp, anyOf: readonly Permission[]][] = [
  [
    /^\/carbon\/(start|facility|emission|insights)$/,
    [Func.carbonStart, Func.carbonFacility, Func.carbonEmission, Func.carbonInsights].map((step) =>
      can(step, Opr.create),
    ),
  ],
  [/^\/administration\/users\/[^/]+$/, [can(Func.users, Opr.read), can(Func.users, Opr.create)]],
]

type Ways = readonly Permission[]
const known = new Map<string, readonly Ways[]>()

/** What an address is opened with: of each of the lists, one permission is enough. Records of a list differ only by their numbers. */
function wantedAt(router: ReturnType<typeof useRouter>, href: string): readonly Ways[] {
  const kind = href.replaceAll(/\d+/g, '0')
  const before = known.get(kind)
  if (before !== undefined) return before
  const { pathname, searchParams } = new URL(kind, ANY_HOST)
  const [, , found] = router.getMatchedRoutes(pathname)
  const { needs } = found?.options.staticData ?? {}
  const isRecord = [...searchParams].some(([name, value]) => RECORDS.has(name) && value !== 'new')
  const wanted = [
    needs === undefined ? [] : [needs],
    OPENED_BY.find(([pages]) => pages.test(pathname))?.[1] ?? [],
    needs !== undefined && isRecord ? [{ func: needs.func, opr: Opr.read }] : [],
  ]
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(kind, wanted)
  return wanted
}
const MOST_KNOWN = 1_000

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & {
  /** What the opened part of a page is read with, if its route doesn't know. */
  for?: Endpoint
}

/** The link, or only its text for those who can't open the page or this part of it. */
function Anchor({ for: endpoint, children, ...props }: Props) {
  const router = useRouter()
  const holds = useHolds()
  const wanted = [
    ...wantedAt(router, props.href ?? ''),
    endpoint === undefined ? [] : permissionsFor(endpoint.allow),
  ]
  const isLocked = wanted.some((ways) => ways.length > 0 && ways.every((way) => holds(way) === false))
  if (!isLocked) return <a {...props}>{children}</a>
  const { className = '' } = props
  // A button that leads nowhere is none.
  if (className.includes('Button-root')) return null
  return <span className={className.replace(/\bfc-link\b/, '').trim()}>{children}</span>
}

/**
 * A link to a page, used like the router's: all pages inside the navigation use it instead. Users without the permission of the page
 * it leads to, or of the record that it opens there, read the text only, because no link may end in a refusal.
 */
export const Link: LinkComponent<typeof Anchor> = createLink(Anchor)
