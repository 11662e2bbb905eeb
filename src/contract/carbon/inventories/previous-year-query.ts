type Later = { organizationId: string; boundary: string; periodStart: string }

/** The query for the latest inventory of the same organization and boundary that ended before this one began. */
export function previousYearQuery({ organizationId, boundary, periodStart }: Later) {
  const conditions = [
    `organizationId == ${organizationId}`,
    `boundary == ${JSON.stringify(boundary)}`,
    'status != "restated"',
    `periodEnd < date(${JSON.stringify(periodStart)})`,
  ]
  return { filter: conditions.join(' && '), sort: '-periodEnd', pageSize: 1 }
}
