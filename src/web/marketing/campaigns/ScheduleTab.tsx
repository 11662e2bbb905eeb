import { Chip, Group, Input, Switch, TextInput } from '@mantine/core'
import type { Campaign } from '#contract/marketing/campaigns/campaigns.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import '@mantine/core/styles/Chip.layer.css'
import type { CampaignFormState } from './campaign-form.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** When a campaign begins, and how fast it sends. */
export function ScheduleTab({ record, campaign }: { record: CampaignFormState; campaign: Campaign }) {
  const { field, form, change, isReadOnly } = record
  const { weekdays, rampsUp } = form.values
  const hasBegun = campaign.startedAt !== null
  const zone = <bdi>{`In the time zone of the lot, ${campaign.lotZone}.`}</bdi>
  return (
    <div className="fc-form-fields" style={NARROW}>
      <TextInput
        {...field('sendOn')}
        type="date"
        max="2100-12-31"
        readOnly={isReadOnly || hasBegun}
        description={<bdi>Leave blank to begin as soon as it is scheduled.</bdi>}
      />
      <TextInput {...field('sendAt')} type="time" readOnly={isReadOnly || hasBegun} description={zone} />
      <Input.Wrapper label="Days" className="fc-wide" error={form.errors['weekdays']}>
        <Group gap={8} pt={4} component="fieldset" aria-label="Days" bd={0} p={0} m={0}>
          {DAYS.map((day, at) => (
            <Chip
              key={day}
              size="sm"
              disabled={isReadOnly}
              checked={weekdays.includes(at + 1)}
              onChange={(isOn) =>
                change({
                  weekdays: isOn
                    ? [...weekdays, at + 1].toSorted((one, other) => one - other)
                    : weekdays.filter((one) => one !== at + 1),
                })
              }
            >
              {day}
            </Chip>
          ))}
        </Group>
      </Input.Wrapper>
      <TextInput {...field('windowFrom')} type="time" description={zone} />
      <TextInput
        {...field('windowTo')}
        type="time"
        description={<bdi>What is left by then goes out on the next day.</bdi>}
      />
      <NumberField
        {...field('perHour')}
        min={1}
        max={20_000}
        required
        description={<bdi>Slower is safer: a domain that suddenly sends much is blocked.</bdi>}
      />
      <Switch
        className="fc-wide"
        label="Start slowly (new sending domain)"
        checked={rampsUp}
        disabled={isReadOnly}
        description={<bdi>At most 200 emails on the first day, and twice as many on each later one.</bdi>}
        onChange={({ currentTarget }) => change({ rampsUp: currentTarget.checked })}
      />
    </div>
  )
}

const NARROW = { maxInlineSize: 760 } as const
