import { ActionIcon, Box, Button, Menu, MultiSelect, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import type { z } from 'zod'
import { LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import { CONDITION_VARIABLES } from '#contract/leads/routing/lead-facts.ts'
import type { LeadRoutingRule, leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { HOURS, TRADE_INS } from '#contract/leads/routing/rule-choices.ts'
import { RuleField } from '#web/questions/builder/RuleField.tsx'
import type { NamedRecord } from '#web/ui/filter/rules/references.ts'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { languageName } from './describe-rule.ts'
import { blankOf, type ConditionKey, CONDITIONS, type RuleValues, usedConditions } from './rule-form.ts'

export type RuleSettings = z.output<typeof leadRoutingRules.settings.output>

type Record = RecordFormState<RuleValues, LeadRoutingRule>
type Props = {
  record: Record
  /** A rule for every lead. */
  blank: RuleValues
  settings: RuleSettings
}

/** Which leads a rule matches. Only conditions that are used are shown; others are added from a menu. */
export function RuleConditions({ record, blank, settings }: Props) {
  const { form, change, isReadOnly } = record
  const section = useRef<HTMLElement>(null)
  const [added, setAdded] = useState<ReadonlySet<ConditionKey>>(new Set())
  const used = usedConditions(form.values)
  const shown = CONDITIONS.filter(({ key }) => used.includes(key) || added.has(key))
  const others = CONDITIONS.filter((one) => !shown.includes(one))

  /** After React has rendered the condition. */
  const focus = (selector: string) =>
    void requestAnimationFrame(() => section.current?.querySelector<HTMLElement>(selector)?.focus())

  function add(key: ConditionKey) {
    setAdded(new Set(added).add(key))
    focus(`[data-condition="${key}"] :is(input, button):not([type="hidden"])`)
  }
  function remove(key: ConditionKey) {
    const rest = new Set(added)
    rest.delete(key)
    setAdded(rest)
    change(blankOf(key, blank))
    focus('[data-add]')
  }
  return (
    <section ref={section} className="fc-wide fc-rule-section" aria-labelledby="rule-when">
      <h3 id="rule-when">Which leads</h3>
      {shown.length === 0 && (
        <p className="fc-small fc-soft">Matches every lead. Add conditions to narrow it down.</p>
      )}
      {shown.map(({ key, title }, at) => (
        <Box key={key} miw={0} className="fc-rule-condition" data-condition={key}>
          <span className="fc-small fc-faint" aria-hidden="true">
            {at === 0 ? 'If' : 'and'}
          </span>
          <Box className="fc-grow" miw={0}>
            <ConditionInputs conditionKey={key} record={record} settings={settings} />
          </Box>
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              aria-label={`Remove condition: ${title}`}
              onClick={() => remove(key)}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Box>
      ))}
      {!isReadOnly && others.length > 0 && (
        <Menu position="bottom-start" width={220} returnFocus={false}>
          <Menu.Target>
            <Button
              variant="default"
              data-add
              className="fc-rule-add"
              leftSection={<IconPlus size={16} aria-hidden="true" />}
            >
              Add condition
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ key, title }) => (
              <Menu.Item key={key} onClick={() => add(key)}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </section>
  )
}

type InputsProps = { conditionKey: ConditionKey; record: Record; settings: RuleSettings }

/** The inputs of one condition. */
function ConditionInputs({ conditionKey, record, settings }: InputsProps): ReactNode {
  const { field, form, change } = record
  const { lots, forms, sources, makes, models, campaigns, currency } = settings
  switch (conditionKey) {
    case 'lots':
      return (
        <Choices
          record={record}
          name="lotIds"
          label="Lot is any of"
          data={withUnavailable(named(lots), form.values.lotIds, 'Unavailable lot')}
        />
      )
    case 'forms':
      return (
        <Choices
          record={record}
          name="formIds"
          label="Form is any of"
          data={withUnavailable(named(forms), form.values.formIds, 'Unavailable form')}
        />
      )
    case 'leadTypes':
      return <Choices record={record} name="leadTypes" label="Lead type is any of" data={TYPES} />
    case 'languages':
      return (
        <Choices
          record={record}
          name="languages"
          label="Language is any of"
          data={[...new Set([...COMMON_LANGUAGES, ...settings.languages, ...form.values.languages])].map(
            (code) => ({ value: code, label: languageName(code) }),
          )}
        />
      )
    case 'sources':
      return <Words record={record} name="sources" label="Source is any of" data={sources} />
    case 'makes':
      return <Words record={record} name="makes" label="Make is any of" data={makes} />
    case 'models':
      return <Words record={record} name="models" label="Model is any of" data={models} />
    case 'campaigns':
      return <Words record={record} name="campaigns" label="Campaign is any of" data={campaigns} />
    case 'postalCodes':
      return (
        <Words
          record={record}
          name="postalCodes"
          label="ZIP code is any of"
          data={NO_WORDS}
          help="958* covers every ZIP code that starts with 958."
        />
      )
    case 'price':
      return (
        <div className="fc-rule-pair">
          <Amount record={record} name="priceFromCents" label="Price from" currency={currency} />
          <Amount record={record} name="priceToCents" label="Price to" currency={currency} />
        </div>
      )
    case 'hours':
      return <Times record={record} />
    case 'tradeIn':
      return <Select {...field('tradeIn')} data={TRADES} allowDeselect={false} />
    default:
      return (
        <>
          <RuleField
            label="Other lead fields"
            without="No conditions yet"
            rule={form.values.condition || undefined}
            variables={CONDITION_VARIABLES}
            onChange={(text) => change({ condition: text ?? '' })}
          />
          {form.errors['condition'] !== undefined && (
            <p className="fc-rows-error" role="alert" tabIndex={-1} data-wrong>
              {form.errors['condition']}
            </p>
          )}
        </>
      )
  }
}

const COMMON_LANGUAGES = ['en', 'es', 'fr']
const NO_WORDS: string[] = []
const TYPES = LEAD_TYPES.map(({ value, label }) => ({ value, label }))
const TRADES = TRADE_INS.map(({ value, label }) => ({ value, label }))
const TIMES = HOURS.map(({ value, label }) => ({ value, label }))
const named = (rows: readonly { id: string; name: string }[]) =>
  rows.map(({ id, name }) => ({ value: id, label: name }))

type ListProps<Choice> = {
  record: Record
  name:
    | 'lotIds'
    | 'formIds'
    | 'leadTypes'
    | 'languages'
    | 'sources'
    | 'makes'
    | 'models'
    | 'campaigns'
    | 'postalCodes'
  label: string
  data: Choice[]
  help?: string
}

function Choices({ record, name, label, data }: ListProps<{ value: string; label: string }>) {
  return (
    <MultiSelect
      {...record.field(name)}
      label={label}
      data={data}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
      nothingFoundMessage="Nothing found"
    />
  )
}

/** Words of the customer's own leads are suggested; others can be entered. */
function Words({ record, name, label, data, help = 'Press Enter after each.' }: ListProps<string>) {
  return (
    <TagsField
      {...record.field(name)}
      label={label}
      data={data}
      description={<bdi>{record.isReadOnly ? '' : help}</bdi>}
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    />
  )
}

function Amount({
  record: { field },
  name,
  label,
  currency,
}: {
  record: Record
  name: 'priceFromCents' | 'priceToCents'
  label: string
  currency: string
}) {
  return (
    <TextInput
      {...field(name)}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      className="fc-amount"
      rightSection={<bdi className="fc-small fc-faint">{currency}</bdi>}
      rightSectionWidth={44}
    />
  )
}

/** When the lead is received, by the opening hours or the clock of its lot. */
function Times({ record: { field, form } }: { record: Record }) {
  return (
    <>
      <Select {...field('hours')} label="The lead is received" data={TIMES} allowDeselect={false} />
      {form.values.hours === 'between' && (
        <div className="fc-rule-pair">
          <TextInput {...field('fromTime')} type="time" />
          <TextInput
            {...field('untilTime')}
            type="time"
            description={<bdi>In the lot's time zone. Past midnight is fine.</bdi>}
          />
        </div>
      )}
    </>
  )
}

/** Choices with those that are chosen but not listed: deleted since, or out of the reader's reach. */
const withUnavailable = (
  choices: readonly NamedRecord[],
  chosen: readonly string[],
  label: string,
): NamedRecord[] => [
  ...choices,
  ...chosen.filter((id) => choices.every(({ value }) => value !== id)).map((value) => ({ value, label })),
]
