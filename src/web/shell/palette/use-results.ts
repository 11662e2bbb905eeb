import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { customers } from '#contract/customers/customers/customers.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import type { Allow } from '#contract/endpoint.ts'
import { MIN_LETTERS, MAX_RESULTS, search } from '#contract/home/search.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { useBoot } from '#web/use-boot.ts'
import { useMenu } from '../menu/menu.ts'
import { openPanel } from '../layout/panels.ts'
import { useSignOut } from '../use-sign-out.ts'
import { readRecent } from './recent.ts'
import { groupRecords } from './records.ts'
import { findResults, pagesOf, type Result, type ResultGroup } from './results.ts'

const DEBOUNCE_MS = 250
/** Available to every user, and therefore not in the menu. */
const JOBS: Result = {
  id: 'page jobs',
  title: 'Jobs',
  about: '',
  icon: 'progress',
  words: 'work progress exports',
  leads: { to: '/jobs' },
}

/** Records that can be added, and the endpoint that determines the permission. */
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

/** The results for the typed text, and the state of the record search. */
export function useResults(typed: string) {
  const holds = useHolds()
  const { hasThemeCustomizer } = useBoot()
  const signOut = useSignOut()
  const menu = useMenu() ?? []
  const records = useRecords(typed.trim())
  const may = (allow: Allow) => permissionsFor(allow).some((wanted) => holds(wanted) === true)
  const doing = (title: string, icon: string, words: string, act: () => void): Result => ({
    ...adding(title, '', words),
    icon,
    leads: { act },
  })

  const pages = [...pagesOf(menu), JOBS]
  const actions = [
    ...ADDING.filter(({ allow }) => may(allow)).map(({ result }) => result),
    { ...adding('Switch organization', '/auth/organization', 'change'), icon: 'building' },
    doing('Change Password', 'key', '', () => openPanel('change-password')),
    ...(hasThemeCustomizer
      ? [doing('Appearance', 'palette', 'theme dark light colors layout', () => openPanel('customizer'))]
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
          ...records.groups,
          { title: 'All customers', results: may(customers.findUsers.allow) ? elsewhere(typed.trim()) : [] },
        ]
  return { groups: groups.filter(({ results }) => results.length > 0), records }
}

/** The search is limited to the current customer; platform staff may look for users of another one. */
function elsewhere(typed: string): Result[] {
  if (typed.length < MIN_LETTERS) return []
  const title = `Search “${typed}” in users of all customers`
  const to = `/customers/people?search=${encodeURIComponent(typed)}`
  return [{ id: 'found elsewhere', title, about: '', icon: 'user-search', leads: { to } }]
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

/** Records the user may list, once enough is typed and typing pauses. */
function useRecords(typed: string) {
  const [text] = useDebouncedValue(typed, DEBOUNCE_MS)
  const isWanted = typed.length >= MIN_LETTERS
  const { data, error, isPending, refetch } = useQuery({
    ...query(search.find, { text }),
    enabled: text.length >= MIN_LETTERS,
  })
  const isSettled = isWanted && text === typed
  return {
    groups: isSettled && data ? groupRecords(data, { typed, most: MAX_RESULTS }) : [],
    isPending: isWanted && (text !== typed || isPending),
    failure: isSettled ? error : null,
    retry: () => void refetch(),
  }
}
