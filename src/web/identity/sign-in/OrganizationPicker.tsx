import { Button, TextInput } from '@mantine/core'
import { IconBuilding, IconCheck, IconChevronRight, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { auth } from '#contract/identity/auth.ts'
import { organizations, type SwitchChoice } from '#contract/organizations/organizations.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, queryClient, send } from '#web/api/query.ts'
import { HOME, readNext } from '#web/session/guard.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'

/** Number of choices from which a search is faster than reading. */
const SEARCH_FROM = 9
const changeOrganization = send(auth.changeOrganization)

/** The organizations the user can work in. Choosing one stores a new token and opens `next`, or else the dashboard. */
export function OrganizationPicker({ next }: { next: string | undefined }) {
  const session = useSessionOwner()
  const router = useRouter()
  const [search, setSearch] = useState('')
  const choices = useQuery(query(organizations.change, {}))
  const change = useMutation({
    mutationFn: changeOrganization,
    onSuccess: async (token) => {
      session.switchOrganization(token)
      queryClient.clear()
      await router.navigate({ href: readNext(next) ?? HOME })
    },
    onError: (failure) => showError(failure),
  })
  useEffect(() => {
    if (choices.error) showError(choices.error)
  }, [choices.error])

  const all = choices.data ?? []
  const searchText = search.trim().toLowerCase()
  const shown = all.filter((choice) =>
    `${choice.name} ${choice.customerName}`.toLowerCase().includes(searchText),
  )
  const hasCustomers = new Set(all.map((choice) => choice.customerId)).size > 1

  const choose = ({ id }: SwitchChoice) => change.mutate({ organizationId: id, token: session.accessToken })

  return (
    <>
      {all.length >= SEARCH_FROM && (
        <TextInput
          type="search"
          aria-label="Search organizations"
          placeholder="Search by name"
          ref={focusAtStart}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = shown
            if (event.key === 'Enter' && first && shown.length === 1) choose(first)
            moveFocus(event)
          }}
          leftSection={<IconSearch size={16} aria-hidden="true" />}
        />
      )}
      {choices.isPending && <Spinner label="Loading organizations" />}
      {choices.isError && (
        <Button
          variant="default"
          onClick={() => void choices.refetch()}
          leftSection={<IconRefresh size={16} aria-hidden="true" />}
        >
          Try again
        </Button>
      )}
      {choices.isSuccess && shown.length === 0 && (
        <EmptyState
          icon={<IconBuilding size={18} />}
          title={all.length === 0 ? "You don't have access to any organization" : 'No organization matches'}
          text={all.length === 0 ? 'Ask an administrator to add you to one.' : 'Try part of the name.'}
        >
          {all.length === 0 && (
            <Button variant="default" onClick={() => void session.logout()}>
              Sign out
            </Button>
          )}
        </EmptyState>
      )}
      {shown.length > 0 && (
        <ChoiceList choices={shown} hasCustomers={hasCustomers} isBusy={change.isPending} onChoose={choose} />
      )}
    </>
  )
}

type ChoiceListProps = {
  choices: readonly SwitchChoice[]
  /** The choices are in several customers, so each one names its customer. */
  hasCustomers: boolean
  isBusy: boolean
  onChoose: (choice: SwitchChoice) => void
}

function ChoiceList({ choices, hasCustomers, isBusy, onChoose }: ChoiceListProps) {
  return (
    <ul className="fc-organization-choices" aria-busy={isBusy}>
      {choices.map((choice) => (
        <li key={choice.id}>
          <button
            type="button"
            onClick={() => onChoose(choice)}
            onKeyDown={moveFocus}
            disabled={isBusy}
            aria-current={choice.isCurrent || undefined}
          >
            <Mark logo={choice.logo} name={choice.name} size={32} />
            <span className="fc-grow">
              <bdi className="fc-name">{choice.name}</bdi>
              {hasCustomers && <span className="fc-second">{choice.customerName}</span>}
            </span>
            {choice.isCurrent && (
              <span className="fc-row fc-small fc-soft">
                <IconCheck size={14} aria-hidden="true" /> Current
              </span>
            )}
            <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The focus starts here, because typing or choosing is the first step. */
function focusAtStart(input: HTMLInputElement | null): void {
  input?.focus()
}

/** Arrow keys move from the search field through the choices. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [...document.querySelectorAll<HTMLElement>('main input, .fc-organization-choices button')]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  event.stopPropagation()
  next.focus()
}
