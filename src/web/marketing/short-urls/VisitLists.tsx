import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { DEVICES, type ShortUrlClicks } from '#contract/marketing/short-urls/short-urls.ts'
import { labelOf } from '#contract/record.ts'

/**
 * Where the people of 30 days came from, and with which devices. Of clicks that were counted before these were, it isn't known: each
 * list adds up to all people.
 */
export function VisitLists({ clicks: { total, devices, referrers } }: { clicks: ShortUrlClicks }) {
  if (devices.length === 0) return null
  const from = referrers.map(({ referrer, people }) => [referrer || 'QR code, email or app', people] as const)
  const named = from.reduce((sum, [, people]) => sum + people, 0)
  const known = devices.reduce((sum, { people }) => sum + people, 0)
  const others = known - named
  const unknown = total.people > known ? [['Not known', total.people - known] as const] : []
  return (
    <Group gap={24} align="start" grow preventGrowOverflow={false} wrap="wrap">
      <VisitList
        title="Came from"
        rows={[...from, ...(others > 0 ? [['Other sites', others] as const] : []), ...unknown]}
      />
      <VisitList
        title="Device"
        rows={[
          ...devices.map(({ device, people }) => [labelOf(DEVICES, device), people] as const),
          ...unknown,
        ]}
      />
    </Group>
  )
}

type ListProps = { title: string; rows: readonly (readonly [name: string, people: number])[] }

function VisitList({ title, rows }: ListProps) {
  const most = Math.max(1, ...rows.map(([, people]) => people))
  return (
    <Stack gap={8} component="section" aria-label={title} miw={200} flex="1 1 200px">
      <Title order={3} size="h5">
        {title}
      </Title>
      <Stack component="ul" gap={6} p={0} m={0}>
        {rows.map(([name, people]) => (
          <Group key={name} component="li" gap={12} wrap="nowrap" justify="space-between">
            <Text size="sm" component="span" flex="1 1 auto" miw={0} truncate>
              <bdi>{name}</bdi>
            </Text>
            <Box
              w={72}
              h={6}
              bg="var(--fc-sunken)"
              style={{ borderRadius: 3, flex: 'none' }}
              aria-hidden="true"
            >
              <Box
                w={`${(people / most) * 100}%`}
                h={6}
                bg="var(--fc-brand-fill)"
                style={{ borderRadius: 3 }}
              />
            </Box>
            <Text size="sm" component="span" className="fc-number" w={48} ta="end" flex="none">
              {people.toLocaleString()}
            </Text>
          </Group>
        ))}
      </Stack>
    </Stack>
  )
}
