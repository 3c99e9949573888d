// Random attempts to change permissions, applied to the model and to the server alike.
import fc from "fast-check";

export type Attempt =
  | { do: "create"; by: number; permissions: number; position: number }
  | { do: "update"; by: number; role: number; permissions: number | undefined; position: number | undefined }
  | { do: "delete"; by: number; role: number }
  | { do: "assign"; by: number; to: number; roles: number[] }
  | { do: "kick"; by: number; target: number }
  | { do: "join"; by: number }
  | { do: "override"; by: number; channel: number; to: Target; allow: number; deny: number }
  | { do: "speak"; by: number; channel: number };

type Target = { role: number } | { person: number };

export const people = 5;
export const channels = 2;

const person = fc.nat({ max: people - 1 });
// An index into the roles that exist at that moment, taken modulo their number.
const role = fc.nat({ max: 7 });
const position = fc.integer({ min: 0, max: 6 });
// Mostly the bits that matter for these rules, sometimes any.
const permissions = fc.oneof(
  { arbitrary: fc.constantFrom(0, 1, 2, 3, 32, 33, 35, 40, 43, 128, 2047), weight: 3 },
  { arbitrary: fc.nat({ max: 2047 }), weight: 1 },
);
const channel = fc.nat({ max: channels - 1 });
// Mostly seeing, sending and managing, sometimes any bit of channels, or all of them.
const ofChannel = fc.oneof(
  { arbitrary: fc.constantFrom(0, 1, 2, 3, 64, 65, 67), weight: 4 },
  { arbitrary: fc.nat({ max: 2047 }).map((bits) => bits & 1863), weight: 1 },
);
const override = fc
  .record({
    do: fc.constant("override" as const),
    by: person,
    channel,
    to: fc.oneof(fc.record({ role }), fc.record({ person })),
    allow: ofChannel,
    deny: ofChannel,
  })
  .map((each) => ({ ...each, deny: each.deny & ~each.allow }));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("create" as const), by: person, permissions, position }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("update" as const),
      by: person,
      role,
      permissions: maybe(permissions),
      position: maybe(position),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), by: person, role }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("assign" as const),
      by: person,
      to: person,
      roles: fc.array(role, { maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("kick" as const), by: person, target: person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("join" as const), by: person }) },
  { weight: 5, arbitrary: override },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("speak" as const), by: person, channel }) },
);

/** A server whose owner has made and assigned some roles, and the attempts that people then make. */
export const story = fc.record({
  everyone: permissions,
  roles: fc.array(fc.record({ permissions, position }), { minLength: 3, maxLength: 6 }),
  held: fc.array(fc.array(role, { maxLength: 3 }), { minLength: people - 1, maxLength: people - 1 }),
  overrides: fc.array(override, { maxLength: 4 }),
  attempts: fc.array(attempt, { minLength: 15, maxLength: 30 }),
});
