import { Button, Group, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { phoneLabel, phoneNote } from '#contract/leads/adf/describe-adf.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { CONTACT_LABELS, type PersonContact } from '#contract/leads/people/person-contacts.ts'
import { labelOf } from '#contract/record.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import type { Fact } from '#web/ui/record/Facts.tsx'

const updateContact = send(people.updateContact)
const removeContact = send(people.removeContact)

const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '').slice(-10)

/** Every phone number and email address of the buyer, those that are used first. */
export function contactFacts(lead: LeadRecord): Fact[] {
  const of = (kind: 'phone' | 'email') =>
    lead.contacts
      .filter((one) => one.kind === kind)
      .toSorted((one, other) => Number(other.isUsed) - Number(one.isUsed))
  const facts = (kind: 'phone' | 'email') =>
    of(kind).map((contact, _at, { length }): Fact => {
      const { title, note } = nameOf(lead, contact)
      return [
        title,
        <ContactRow key={contact.id} lead={lead} contact={contact} isOnly={length === 1} />,
        note,
      ]
    })
  return [...facts('phone'), ...facts('email'), ...invalidEmails(lead)]
}

/** What a number or an address is, in the words of a user or of the source, and when the buyer wants to be called. */
function nameOf(
  { document }: LeadRecord,
  { kind, key, value, label }: PersonContact,
): { title: string; note: string | undefined } {
  const { emails = [], phones = [] } = document?.customer.contact ?? {}
  const chosen = label === null ? null : labelOf(CONTACT_LABELS, label)
  if (kind === 'email') {
    const isPreferred = emails.some((one) => one.isPreferred && one.value.toLowerCase() === key)
    return {
      title: chosen === null ? 'Email' : `Email (${chosen})`,
      note: isPreferred ? 'preferred' : undefined,
    }
  }
  const sent = phones.find((one) => digitsOf(one.value) === digitsOf(value))
  const title = chosen ?? (sent === undefined ? 'Phone' : phoneLabel(sent))
  return { title, note: (sent && phoneNote(sent)) || undefined }
}

/** Addresses of the document to which nothing can be sent. */
const invalidEmails = ({ document }: LeadRecord): Fact[] =>
  (document?.customer.contact.emails ?? []).flatMap(({ value, isValid }): Fact[] =>
    isValid ? [] : [['Email', value, 'not a valid address']],
  )

type RowProps = { lead: LeadRecord; contact: PersonContact; isOnly: boolean }

/** An address or number with what is known about it, and what can be done with it. */
function ContactRow({ lead, contact, isOnly }: RowProps) {
  const { kind, value, key } = contact
  const href = kind === 'email' ? `mailto:${value}` : `tel:${key.startsWith('+') ? key : value}`
  const about = aboutOf(lead, contact, isOnly)
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <span className="fc-grow">
        <a href={href}>
          <Breakable text={value} />
        </a>
        {about !== '' && <span className="fc-second">{about}</span>}
      </span>
      <ContactMenu contact={contact} />
    </Group>
  )
}

/** A long address breaks after its @ before it breaks within a word. */
function Breakable({ text }: { text: string }) {
  const at = text.indexOf('@') + 1
  if (at === 0) return text
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}

/** Of several, the one that is used, which are new, and where each came from. */
function aboutOf({ id }: LeadRecord, contact: PersonContact, isOnly: boolean): string {
  const { kind, isNew, isUsed, isPreferred, isPlaceholder, sourceName, addedBy, leadId, firstSeenAt } =
    contact
  const used = kind === 'email' ? 'used for answers' : 'used for calls'
  const from = addedBy === null ? (sourceName ?? 'an email') : addedBy
  return [
    isNew && 'New',
    !isOnly && isUsed && (isPreferred ? `${used}, chosen` : used),
    isPlaceholder && "doesn't identify the buyer",
    !isOnly && (isNew || leadId !== id) && `from ${from}, ${formatDay(firstSeenAt)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function ContactMenu({ contact }: { contact: PersonContact }) {
  const { id, kind, value, label, isPreferred } = contact
  const act = useMutation({
    mutationFn: async ({ run, done }: { run: () => Promise<unknown>; done: string }) => {
      await run()
      return done
    },
    onSuccess: (done) => toast(done, value),
    onError: (failure) => showError(failure),
  })
  const change = (changes: Omit<Parameters<typeof updateContact>[0], 'id'>, done: string) =>
    act.mutate({ run: () => updateContact({ id, ...changes }), done })
  const remove = async () => {
    const isSure = await ask({
      title: `Remove ${value}?`,
      text: "What a lead came in with stays in the lead. This can't be undone, but you can add it again.",
      confirm: 'Remove',
      isDestructive: true,
    })
    if (isSure) act.mutate({ run: () => removeContact({ id }), done: 'Removed' })
  }
  const what = kind === 'email' ? 'answers' : 'calls'
  return (
    <Menu position="bottom-end" width={220} trapFocus returnFocus>
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={`Actions for ${value}`}
          my={-4}
          px={4}
          loading={act.isPending}
        >
          <IconDots size={14} stroke={1.6} aria-hidden="true" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isPreferred ? (
          <ActionItem
            for={people.updateContact}
            onClick={() => change({ isPreferred: false }, 'The one used last is used')}
          >
            Use the one that the buyer used last
          </ActionItem>
        ) : (
          <ActionItem
            for={people.updateContact}
            onClick={() => change({ isPreferred: true }, `Used for ${what}`)}
          >
            {`Always use for ${what}`}
          </ActionItem>
        )}
        <Menu.Divider />
        {CONTACT_LABELS.filter(({ value: one }) => kind === 'phone' || one === 'home' || one === 'work').map(
          (one) => (
            <ActionItem
              key={one.value}
              for={people.updateContact}
              lock={one.value === label ? 'It has this label.' : null}
              onClick={() => change({ label: one.value }, `Labeled “${one.label}”`)}
            >
              {`Label: ${one.label}`}
            </ActionItem>
          ),
        )}
        {label !== null && (
          <ActionItem for={people.updateContact} onClick={() => change({ label: null }, 'Label removed')}>
            No label
          </ActionItem>
        )}
        <Menu.Divider />
        <ActionItem for={people.removeContact} isDestructive onClick={() => void remove()}>
          Remove
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}
