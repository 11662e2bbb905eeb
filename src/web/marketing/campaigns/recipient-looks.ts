/** How the state of a recipient looks. */
export const RECIPIENT_LOOKS = {
  queued: { tone: 'mute', mark: 'wait' },
  sent: { tone: 'info', mark: 'half' },
  delivered: { tone: 'good', mark: 'check' },
  opened: { tone: 'good', mark: 'check' },
  clicked: { tone: 'good', mark: 'check' },
  unsubscribed: { tone: 'warn', mark: 'dash' },
  'in-doubt': { tone: 'warn', mark: 'alert' },
  bounced: { tone: 'bad', mark: 'cross' },
  complained: { tone: 'bad', mark: 'cross' },
  'not-sent': { tone: 'mute', mark: 'pause' },
  'left-out': { tone: 'mute', mark: 'dash' },
} as const
