import { seedDemoApiKey } from '../platform/access/api-keys.ts';
import type { Db } from '../platform/database/database.ts';
import { hashPassword } from '../platform/access/passwords.ts';
import { seedOnce } from '../platform/database/seeds.queries.ts';
import { insertOrder } from './orders.queries.ts';
import type { NewOrder } from './orders.schemas.ts';
import { insertPet } from './pets.queries.ts';
import type { Pet, PetStatus } from './pets.schemas.ts';
import { insertUsers } from './users.queries.ts';
import type { User } from './users.schemas.ts';

const API_KEY = 'special-key';
const PASSWORD = 'demo';

const CATEGORIES = { Dog: 1, Cat: 2, Rabbit: 3, Lion: 4 };

const pet = (
  id: number,
  kind: keyof typeof CATEGORIES,
  number: number,
  tags: number[],
  status: PetStatus,
): Pet => ({
  id,
  category: { id: CATEGORIES[kind], name: `${kind}s` },
  name: `${kind} ${number}`,
  photoUrls: ['url1', 'url2'],
  tags: tags.map((tag) => ({ id: tag, name: `tag${tag}` })),
  status,
});

const PETS = [
  pet(1, 'Cat', 1, [1, 2], 'available'),
  pet(2, 'Cat', 2, [2, 3], 'available'),
  pet(3, 'Cat', 3, [3, 4], 'pending'),
  pet(4, 'Dog', 1, [1, 2], 'available'),
  pet(5, 'Dog', 2, [2, 3], 'sold'),
  pet(6, 'Dog', 3, [3, 4], 'pending'),
  pet(7, 'Lion', 1, [1, 2], 'available'),
  pet(8, 'Lion', 2, [2, 3], 'available'),
  pet(9, 'Lion', 3, [3, 4], 'available'),
  pet(10, 'Rabbit', 1, [3, 4], 'available'),
];

const ORDERS: NewOrder[] = [
  { id: 1, petId: 1, quantity: 100, status: 'placed' },
  { id: 2, petId: 1, quantity: 50, status: 'approved' },
  { id: 3, petId: 1, quantity: 50, status: 'delivered', complete: true },
];

const USERS: User[] = Array.from({ length: 10 }, (_, index) => ({
  id: index + 1,
  username: `user${index + 1}`,
  firstName: `first name ${index + 1}`,
  lastName: `last name ${index + 1}`,
  email: `email${index + 1}@example.com`,
  phone: '123-456-7890',
  userStatus: 1,
}));

/**
 * The published pets, orders and users, and the key, once; what has such an id or name already is
 * left alone. Users and key do not exist where NODE_ENV is production.
 */
export async function seedPetstore(db: Db): Promise<void> {
  await seedOnce(db, 'petstore demo', JSON.stringify([PETS, ORDERS, USERS]), async (tx) => {
    for (const each of PETS) await insertPet(tx, each);
    for (const each of ORDERS) await insertOrder(tx, each);
    const passwordHash = await hashPassword(PASSWORD);
    for (const each of USERS) await insertUsers(tx, [{ ...each, passwordHash }], { isDemo: true });
  });
  await seedDemoApiKey(db, 'petstore', API_KEY);
}
