import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { customers } from '#contract/customers/customers.ts'
import { lots } from '#contract/customers/lots.ts'
import type { Allow } from '#contract/endpoint.ts'
import { userTypes } from '#contract/identity/user-types.ts'
import { users } from '#contract/identity/users.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { wantedBy } from '#web/ui/permission-of.ts'
import { useBoot } from '#web/use-boot.ts'
import { useMenu } from '../menu.ts'
import { openPanel } from '../panels.ts'
import { useSignOut } from '../use-sign-out.ts'
import { readRecent } from './recent.ts'
import { findResults, pagesOf, type Result, type ResultGroup } from './results.ts'

const DEBOUNCE_MS = 250
/** A single letter finds half of everybody. */
const LETTERS_FOR_PEOPLE = 2
const PEOPLE_SHOWN = 6

/** What can be added, and the call whose permission that takes. */
const ADDING: readonly { result: Result; allow: Allow }[] = [
  { result: adding('Add lot', '/customers/lots?lot=new'), allow: lots.add.allow },
  { result: adding('Add user', '/administration/users/new', 'person invite'), allow: users.add.allow },
  {
    result: adding('Add user type', '/administration/user-types?drawer=new', 'role'),
    allow: userTypes.add.allow,
  },
]

function adding(title: string, to: string, words = ''): Result {
  return {
    id: `do ${title}`,
    title,
    about: 'Action',
    icon: 'plus',
    words: `new create ${words}`,
    leads: { to },
  }
}

/** Everything that answers what is typed, and how the search for people goes. */
export function useResults(typed: string) {
  const holds = useHolds()
  const { hasThemeCustomizer } = useBoot()
  const signOut = useSignOut()
  const menu = useMenu() ?? []
  const people = usePeople(typed.trim())
  const may = (allow: Allow) => wantedBy(allow).some((wanted) => holds(wanted) === true)
  const doing = (title: string, icon: string, words: string, act: () => void): Result => ({
    ...adding(title, '', words),
    icon,
    leads: { act },
  })

  const pages = pagesOf(menu)
  const actions = [
    ...ADDING.filter(({ allow }) => may(allow)).map(({ result }) => result),
    { ...adding('Switch organization', '/auth/organization', 'change'), icon: 'building' },
    doing('Change Password', 'key', '', () => openPanel('change-password')),
    ...(hasThemeCustomizer
      ? [doing('Appearance', 'palette', 'theme dark light colours layout', () => openPanel('customizer'))]
      : []),
    doing('Shortcuts', 'keyboard', 'keys help', () => openPanel('shortcuts')),
    doing('Sign out', 'logout', 'log out leave', signOut),
  ]
  const groups =
    typed.trim() === ''
      ? withRecent(pages, actions)
      : [
          { title: 'Pages', results: findResults(pages, typed) },
          { title: 'Actions', results: findResults(actions, typed) },
          { title: 'People', results: people.results },
        ]
  return { groups: groups.filter(({ results }) => results.length > 0), people }
}

function withRecent(pages: readonly Result[], actions: readonly Result[]): ResultGroup[] {
  const all = [...pages, ...actions]
  const recent = readRecent().flatMap((id) => all.find((one) => one.id === id) ?? [])
  const isOther = (one: Result) => !recent.includes(one)
  return [
    { title: 'Recent', results: recent },
    { title: 'Pages', results: pages.filter(isOther) },
    { title: 'Actions', results: actions.filter(isOther) },
  ]
}

/** People by name: those of the own customer, and for the platform's staff those of every customer. */
function usePeople(typed: string) {
  const holds = useHolds()
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS)
  const isAsked = search.length >= LETTERS_FOR_PEOPLE
  const isPlatform = holds(customers.findPeople.allow) === true
  const isKeeper = holds(users.list.allow) === true
  const input = { search, page: 1, pageSize: PEOPLE_SHOWN }
  const own = useQuery({ ...query(users.list, input), enabled: isAsked && isKeeper && !isPlatform })
  const all = useQuery({ ...query(customers.findPeople, input), enabled: isAsked && isPlatform })
  const asked = isPlatform ? all : own
  const results: Result[] = isPlatform
    ? (all.data?.results ?? []).map(({ id, fullName, userName, customerName }) =>
        person(
          id,
          fullName,
          `${userName}, ${customerName}`,
          `/customers/people?search=${encodeURIComponent(userName)}`,
        ),
      )
    : (own.data?.results ?? []).map(({ id, firstName, lastName, userName }) =>
        person(id, `${firstName} ${lastName}`, userName, `/administration/users/${id}`),
      )
  const isWanted = typed.length >= LETTERS_FOR_PEOPLE && (isPlatform || isKeeper)
  return {
    results: isWanted && search === typed ? results : [],
    isPending: isWanted && (search !== typed || asked.isPending),
    failure: isWanted && search === typed ? asked.error : null,
    retry: () => void asked.refetch(),
  }
}

function person(id: string, title: string, about: string, to: string): Result {
  return { id: `person ${id}`, title, about, icon: 'user', leads: { to } }
}
