// In place of @scalar/types/entities, of which a list is used, and zod for all the rest of it.
export const pkceOptions = ['SHA-256', 'plain', 'no'];
