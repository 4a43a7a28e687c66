//! Tandem's models of the Java library: classes in place of the JDK's, and methods in place of some of its methods.
//!
//! They are written in Java, in `library/`, and compiled by `library/compile.sh`; the class files are part of the
//! project, so that nothing but the program itself needs a compiler. A test compares them with their sources.

/// The class files, by class name.
const CLASSES: &[(&str, &[u8])] = &[
    (
        "gov/nasa/jpf/abstraction/Verifier",
        include_bytes!("library/classes/extra/gov/nasa/jpf/abstraction/Verifier.class"),
    ),
    ("gov/nasa/jpf/vm/Verify", include_bytes!("library/classes/extra/gov/nasa/jpf/vm/Verify.class")),
    ("java/io/InputStream", include_bytes!("library/classes/base/java/io/InputStream.class")),
    ("java/io/InputStreamReader", include_bytes!("library/classes/base/java/io/InputStreamReader.class")),
    ("java/io/ObjectStreamField", include_bytes!("library/classes/base/java/io/ObjectStreamField.class")),
    ("java/io/PrintStream", include_bytes!("library/classes/base/java/io/PrintStream.class")),
    ("java/lang/Class", include_bytes!("library/classes/base/java/lang/Class.class")),
    ("java/lang/InheritableThreadLocal", include_bytes!("library/classes/base/java/lang/InheritableThreadLocal.class")),
    ("java/lang/String", include_bytes!("library/classes/base/java/lang/String.class")),
    ("java/lang/StringBuffer", include_bytes!("library/classes/base/java/lang/StringBuffer.class")),
    ("java/lang/StringBuilder", include_bytes!("library/classes/base/java/lang/StringBuilder.class")),
    ("java/lang/System", include_bytes!("library/classes/base/java/lang/System.class")),
    ("java/lang/Thread", include_bytes!("library/classes/base/java/lang/Thread.class")),
    ("java/lang/ThreadLocal", include_bytes!("library/classes/base/java/lang/ThreadLocal.class")),
    ("java/lang/ThreadLocal$Entry", include_bytes!("library/classes/base/java/lang/ThreadLocal$Entry.class")),
    ("java/lang/Throwable", include_bytes!("library/classes/base/java/lang/Throwable.class")),
    ("java/lang/reflect/Array", include_bytes!("library/classes/base/java/lang/reflect/Array.class")),
    ("java/util/Arrays$LegacyMergeSort", include_bytes!("library/classes/base/java/util/Arrays$LegacyMergeSort.class")),
    ("java/util/HashOrder", include_bytes!("library/classes/base/java/util/HashOrder.class")),
    ("java/util/Random", include_bytes!("library/classes/base/java/util/Random.class")),
    ("java/util/Scanner", include_bytes!("library/classes/base/java/util/Scanner.class")),
    ("java/util/SmallSet", include_bytes!("library/classes/base/java/util/SmallSet.class")),
    ("java/util/SmallSet$Elements", include_bytes!("library/classes/base/java/util/SmallSet$Elements.class")),
    ("java/util/SmallSet$Order", include_bytes!("library/classes/base/java/util/SmallSet$Order.class")),
    ("java/util/StringJoiner", include_bytes!("library/classes/base/java/util/StringJoiner.class")),
    ("java/util/TrustedArrays", include_bytes!("library/classes/base/java/util/TrustedArrays.class")),
    (
        "java/util/concurrent/ConcurrentHashMap",
        include_bytes!("library/classes/base/java/util/concurrent/ConcurrentHashMap.class"),
    ),
    (
        "java/util/concurrent/ConcurrentHashMap$Entries",
        include_bytes!("library/classes/base/java/util/concurrent/ConcurrentHashMap$Entries.class"),
    ),
    (
        "java/util/concurrent/ConcurrentHashMap$Found",
        include_bytes!("library/classes/base/java/util/concurrent/ConcurrentHashMap$Found.class"),
    ),
    (
        "java/util/concurrent/ConcurrentHashMap$Through",
        include_bytes!("library/classes/base/java/util/concurrent/ConcurrentHashMap$Through.class"),
    ),
    (
        "java/util/concurrent/CountDownLatch",
        include_bytes!("library/classes/base/java/util/concurrent/CountDownLatch.class"),
    ),
    ("java/util/concurrent/Executors", include_bytes!("library/classes/base/java/util/concurrent/Executors.class")),
    (
        "java/util/concurrent/Executors$Adapter",
        include_bytes!("library/classes/base/java/util/concurrent/Executors$Adapter.class"),
    ),
    (
        "java/util/concurrent/Executors$Pool",
        include_bytes!("library/classes/base/java/util/concurrent/Executors$Pool.class"),
    ),
    (
        "java/util/concurrent/Executors$Queued",
        include_bytes!("library/classes/base/java/util/concurrent/Executors$Queued.class"),
    ),
    (
        "java/util/concurrent/Executors$Worker",
        include_bytes!("library/classes/base/java/util/concurrent/Executors$Worker.class"),
    ),
    ("java/util/concurrent/FutureTask", include_bytes!("library/classes/base/java/util/concurrent/FutureTask.class")),
    ("java/util/concurrent/Semaphore", include_bytes!("library/classes/base/java/util/concurrent/Semaphore.class")),
    (
        "java/util/concurrent/Semaphore$Place",
        include_bytes!("library/classes/base/java/util/concurrent/Semaphore$Place.class"),
    ),
    (
        "java/util/concurrent/atomic/AtomicBoolean",
        include_bytes!("library/classes/base/java/util/concurrent/atomic/AtomicBoolean.class"),
    ),
    (
        "java/util/concurrent/atomic/AtomicInteger",
        include_bytes!("library/classes/base/java/util/concurrent/atomic/AtomicInteger.class"),
    ),
    (
        "java/util/concurrent/atomic/AtomicLong",
        include_bytes!("library/classes/base/java/util/concurrent/atomic/AtomicLong.class"),
    ),
    (
        "java/util/concurrent/atomic/AtomicReference",
        include_bytes!("library/classes/base/java/util/concurrent/atomic/AtomicReference.class"),
    ),
    (
        "java/util/concurrent/locks/ReentrantLock",
        include_bytes!("library/classes/base/java/util/concurrent/locks/ReentrantLock.class"),
    ),
    (
        "java/util/concurrent/locks/ReentrantLock$Place",
        include_bytes!("library/classes/base/java/util/concurrent/locks/ReentrantLock$Place.class"),
    ),
    (
        "java/util/concurrent/locks/ReentrantLock$Waiting",
        include_bytes!("library/classes/base/java/util/concurrent/locks/ReentrantLock$Waiting.class"),
    ),
    (
        "java/util/concurrent/locks/ReentrantReadWriteLock",
        include_bytes!("library/classes/base/java/util/concurrent/locks/ReentrantReadWriteLock.class"),
    ),
    (
        "java/util/concurrent/locks/ReentrantReadWriteLock$Hold",
        include_bytes!("library/classes/base/java/util/concurrent/locks/ReentrantReadWriteLock$Hold.class"),
    ),
    (
        "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock",
        include_bytes!("library/classes/base/java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock.class"),
    ),
    (
        "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock",
        include_bytes!("library/classes/base/java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock.class"),
    ),
    (
        "jdk/internal/access/SharedSecrets",
        include_bytes!("library/classes/base/jdk/internal/access/SharedSecrets.class"),
    ),
    ("jdk/internal/misc/CDS", include_bytes!("library/classes/base/jdk/internal/misc/CDS.class")),
    ("jdk/internal/util/ArraysSupport", include_bytes!("library/classes/base/jdk/internal/util/ArraysSupport.class")),
    (
        "org/sosy_lab/sv_benchmarks/Verifier",
        include_bytes!("library/classes/extra/org/sosy_lab/sv_benchmarks/Verifier.class"),
    ),
    ("tandem/CastMessage", include_bytes!("library/classes/base/tandem/CastMessage.class")),
    ("tandem/CopyMessage", include_bytes!("library/classes/base/tandem/CopyMessage.class")),
    ("tandem/Enums", include_bytes!("library/classes/base/tandem/Enums.class")),
    ("tandem/Format", include_bytes!("library/classes/base/tandem/Format.class")),
    ("tandem/Interned", include_bytes!("library/classes/base/tandem/Interned.class")),
    ("tandem/Message", include_bytes!("library/classes/base/tandem/Message.class")),
    ("tandem/NameMessage", include_bytes!("library/classes/base/tandem/NameMessage.class")),
    ("tandem/Native", include_bytes!("library/classes/base/tandem/Native.class")),
    ("tandem/Numbers", include_bytes!("library/classes/base/tandem/Numbers.class")),
    ("tandem/StandardInput", include_bytes!("library/classes/base/tandem/StandardInput.class")),
    ("tandem/Texts", include_bytes!("library/classes/base/tandem/Texts.class")),
    ("tandem/Texts$Outer", include_bytes!("library/classes/base/tandem/Texts$Outer.class")),
    ("tandem/Texts$WithoutCase", include_bytes!("library/classes/base/tandem/Texts$WithoutCase.class")),
    ("tandem/ToldMessage", include_bytes!("library/classes/base/tandem/ToldMessage.class")),
    ("tandem/Throw", include_bytes!("library/classes/base/tandem/Throw.class")),
    ("tandem/Traced", include_bytes!("library/classes/base/tandem/Traced.class")),
    ("tandem/Traced$Step", include_bytes!("library/classes/base/tandem/Traced$Step.class")),
];

/// The model of a class.
pub fn class_file(name: &str) -> Option<&'static [u8]> {
    CLASSES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// The classes that programs ask for inputs.
pub fn input_classes() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let is_outside = |name: &str| !["java/", "jdk/", "tandem/"].iter().any(|package| name.starts_with(package));
    CLASSES.iter().copied().filter(move |(name, _)| is_outside(name))
}

/// Methods of the JDK, by class, name and descriptor, and the static methods that stand for them.
const REPLACED: &[(&str, &str, &str, &str, &str)] = &[
    ("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", NUMBERS, "box"),
    ("java/lang/Long", "valueOf", "(J)Ljava/lang/Long;", NUMBERS, "box"),
    ("java/lang/Short", "valueOf", "(S)Ljava/lang/Short;", NUMBERS, "box"),
    ("java/lang/Byte", "valueOf", "(B)Ljava/lang/Byte;", NUMBERS, "box"),
    ("java/lang/Character", "valueOf", "(C)Ljava/lang/Character;", NUMBERS, "box"),
    ("java/lang/Integer", "toString", "(I)Ljava/lang/String;", NUMBERS, "text"),
    ("java/lang/Long", "toString", "(J)Ljava/lang/String;", NUMBERS, "text"),
    ("java/lang/Integer", "toString", "(II)Ljava/lang/String;", NUMBERS, "text"),
    ("java/lang/Long", "toString", "(JI)Ljava/lang/String;", NUMBERS, "text"),
    ("java/lang/Integer", "toHexString", "(I)Ljava/lang/String;", NUMBERS, "hex"),
    ("java/lang/Integer", "toOctalString", "(I)Ljava/lang/String;", NUMBERS, "octal"),
    ("java/lang/Integer", "toBinaryString", "(I)Ljava/lang/String;", NUMBERS, "binary"),
    ("java/lang/Long", "toHexString", "(J)Ljava/lang/String;", NUMBERS, "hex"),
    ("java/lang/Long", "toOctalString", "(J)Ljava/lang/String;", NUMBERS, "octal"),
    ("java/lang/Long", "toBinaryString", "(J)Ljava/lang/String;", NUMBERS, "binary"),
    ("java/lang/StrictMath", "sqrt", "(D)D", NUMBERS, "squareRoot"),
    ("java/lang/StrictMath", "log", "(D)D", NUMBERS, "logarithm"),
    ("java/lang/Enum", "valueOf", "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;", ENUMS, "valueOf"),
    ("java/util/EnumMap", "getKeyUniverse", "(Ljava/lang/Class;)[Ljava/lang/Enum;", ENUMS, "universe"),
    ("java/util/EnumSet", "getUniverse", "(Ljava/lang/Class;)[Ljava/lang/Enum;", ENUMS, "universe"),
    ("java/util/HashMap", "hash", "(Ljava/lang/Object;)I", HASH_ORDER, "hash"),
    ("java/util/Set", "of", "(Ljava/lang/Object;)Ljava/util/Set;", SMALL_SET, "of"),
    ("java/util/Set", "of", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/Set;", SMALL_SET, "of"),
    ("java/util/Arrays", "deepToString", "([Ljava/lang/Object;)Ljava/lang/String;", TEXTS, "deepToString"),
];

/// Static fields that the models' classes do not have, by class and name, and the classes that have them.
const MOVED: &[(&str, &str, &str)] = &[("java/lang/String", "CASE_INSENSITIVE_ORDER", TEXTS)];

/// The class that has a static field in place of the one that should.
pub fn owner(class: &str, field: &str) -> Option<&'static str> {
    MOVED.iter().find(|(c, f, _)| *c == class && *f == field).map(|(_, _, owner)| *owner)
}

const ENUMS: &str = "tandem/Enums";
const HASH_ORDER: &str = "java/util/HashOrder";
const SMALL_SET: &str = "java/util/SmallSet";
const TEXTS: &str = "tandem/Texts";

/// The class of numbers' methods.
pub const NUMBERS: &str = "tandem/Numbers";
/// The class whose native methods lowering knows.
pub const NATIVE: &str = "tandem/Native";
/// The class that makes the virtual machine's own exceptions.
pub const THROW: &str = "tandem/Throw";

/// The class of threads.
pub const THREAD: &str = "java/lang/Thread";

/// The static method of the class of threads that stands for a method of every object: its name and descriptor.
pub fn monitor_method(name: &str, descriptor: &str) -> Option<(&'static str, &'static str)> {
    match (name, descriptor) {
        ("wait", "()V") => Some(("await", "(Ljava/lang/Object;)V")),
        ("wait", "(J)V") => Some(("await", "(Ljava/lang/Object;J)V")),
        ("notify", "()V") => Some(("wakeOne", "(Ljava/lang/Object;)V")),
        ("notifyAll", "()V") => Some(("wakeAll", "(Ljava/lang/Object;)V")),
        _ => None,
    }
}

/// Methods of the JDK whose last digit, or sign, is up to the virtual machine, and those that know where it is not. The JDK's own
/// classes ask for estimates only, which may have any.
const INEXACT: &[(&str, &str, &str, &str, &str)] = &[
    ("java/lang/Math", "pow", "(DD)D", NUMBERS, "power"),
    ("java/lang/Math", "exp", "(D)D", NUMBERS, "exponential"),
    ("java/lang/Math", "log", "(D)D", NUMBERS, "exactLogarithm"),
    ("java/lang/Math", "copySign", "(DD)D", NUMBERS, "copySign"),
    ("java/lang/Math", "copySign", "(FF)F", NUMBERS, "copySign"),
];

/// The static method that stands for a method of the JDK: its class and name; the descriptor is the same.
pub fn replacement(class: &str, name: &str, descriptor: &str, is_user: bool) -> Option<(&'static str, &'static str)> {
    let inexact = INEXACT.iter().filter(|_| is_user);
    let found = REPLACED.iter().chain(inexact).find(|(c, n, d, ..)| *c == class && *n == name && *d == descriptor);
    found.map(|(_, _, _, class, name)| (*class, *name))
}

/// The method of the JDK that a static method stands for: its class and name.
pub fn replaced(class: &str, name: &str, descriptor: &str) -> Option<(&'static str, &'static str)> {
    let found = REPLACED.iter().chain(INEXACT).find(|(_, _, d, c, n)| *c == class && *n == name && *d == descriptor);
    found.map(|(class, name, ..)| (*class, *name))
}

/// Methods of the JDK, by class and name, that are answered with unknown: their result is another in every run, as the order
/// of sets and maps that cannot be changed; or nothing but a debugger calls them, and they lead to much else.
const NOT_FOLLOWED: &[(&str, &str)] = &[
    ("java/util/ImmutableCollections$Set12", "iterator"),
    ("java/util/ImmutableCollections$Set12", "toArray"),
    ("java/util/ImmutableCollections$SetN", "toArray"),
    ("java/util/ImmutableCollections$SetN$SetNIterator", "<init>"),
    ("java/util/ImmutableCollections$MapN$MapNIterator", "<init>"),
    ("jdk/internal/math/FDBigInteger", "toBigInteger"),
];

/// Whether a method of the JDK is answered with unknown.
pub fn is_not_followed(class: &str, name: &str) -> bool {
    NOT_FOLLOWED.contains(&(class, name))
}

/// A method, and the one that stands for it where its text is only printed, both with their descriptor.
const VALUE_OF: (&str, &str, &str) = ("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;");
/// See [`VALUE_OF`].
pub const PRINTED: (&str, &str, &str) = ("java/io/PrintStream", "text", VALUE_OF.2);

/// Whether a method gives the text of any object.
pub fn is_value_of(class: &str, name: &str, descriptor: &str) -> bool {
    (class, name, descriptor) == VALUE_OF
}

/// Methods that go through a hash table, by class and name, and where they have it: in which local variable, and whether
/// that is an object inside of it.
const GO_THROUGH: &[(&str, &str, u16, bool)] = &[
    ("java/util/HashMap", "forEach", 0, false),
    ("java/util/HashMap", "replaceAll", 0, false),
    ("java/util/HashMap", "keysToArray", 0, false),
    ("java/util/HashMap", "valuesToArray", 0, false),
    ("java/util/HashMap$KeySet", "forEach", 0, true),
    ("java/util/HashMap$Values", "forEach", 0, true),
    ("java/util/HashMap$EntrySet", "forEach", 0, true),
    ("java/util/HashMap$HashIterator", "<init>", 1, false),
    ("java/util/HashMap$HashMapSpliterator", "<init>", 1, false),
];

/// The local variable in which a method has the hash table that it goes through, and whether that is inside of the table.
pub fn goes_through(class: &str, name: &str) -> Option<(u16, bool)> {
    let found = GO_THROUGH.iter().find(|(c, n, ..)| *c == class && *n == name);
    found.map(|(_, _, local, is_inside)| (*local, *is_inside))
}

/// What is called where a method goes through a hash table: class, name and descriptor.
pub const LOOK: (&str, &str, &str) = (HASH_ORDER, "look", "(Ljava/util/HashMap;)V");

/// Packages and classes of the JDK that are modelled, or not; the longest name counts.
const PACKAGES: &[(&str, bool)] = &[
    ("java/", false),
    ("javax/", false),
    ("jdk/", false),
    ("sun/", false),
    ("com/sun/", false),
    ("java/lang/", true),
    ("java/lang/reflect/", false),
    ("java/lang/invoke/", false),
    ("java/lang/module/", false),
    ("java/lang/ref/", false),
    ("java/lang/Character$UnicodeBlock", false),
    ("java/lang/Character$UnicodeScript", false),
    ("java/lang/ClassLoader", false),
    ("java/lang/Module", false),
    ("java/lang/Package", false),
    ("java/lang/Process", false),
    ("java/lang/SecurityManager", false),
    ("java/lang/StackTraceElement", false),
    ("java/lang/StackWalker", false),
    ("java/lang/Runtime", false),
    ("java/lang/Thread", false),
    ("java/lang/ThreadLocal", true),
    ("java/math/", true),
    ("java/util/", true),
    ("java/util/concurrent/", false),
    ("java/util/concurrent/AbstractExecutorService", true),
    ("java/util/concurrent/ArrayBlockingQueue", true),
    ("java/util/concurrent/BlockingQueue", true),
    ("java/util/concurrent/BrokenBarrierException", true),
    ("java/util/concurrent/Callable", true),
    ("java/util/concurrent/CancellationException", true),
    ("java/util/concurrent/ConcurrentMap", true),
    ("java/util/concurrent/CopyOnWriteArrayList", true),
    ("java/util/concurrent/CyclicBarrier", true),
    ("java/util/concurrent/ExecutionException", true),
    ("java/util/concurrent/Executor", true),
    ("java/util/concurrent/ExecutorService", true),
    ("java/util/concurrent/Future", true),
    ("java/util/concurrent/Helpers", true),
    ("java/util/concurrent/LinkedBlockingQueue", true),
    ("java/util/concurrent/RejectedExecutionException", true),
    ("java/util/concurrent/RunnableFuture", true),
    ("java/util/concurrent/ThreadFactory", true),
    ("java/util/concurrent/TimeUnit", true),
    ("java/util/concurrent/TimeoutException", true),
    ("java/util/concurrent/atomic/", false),
    ("java/util/concurrent/locks/Lock", true),
    ("java/util/concurrent/locks/Condition", true),
    ("java/util/concurrent/locks/ReadWriteLock", true),
    ("java/util/stream/", true),
    ("java/util/logging/", false),
    ("java/util/zip/", false),
    ("java/util/jar/", false),
    ("java/util/spi/", false),
    ("java/util/Formatter", false),
    ("java/util/Locale", false),
    ("java/util/ResourceBundle", false),
    ("java/util/Properties", false),
    ("java/util/Timer", false),
    ("java/util/TimeZone", false),
    ("java/util/Calendar", false),
    ("java/util/Date", false),
    ("java/util/ServiceLoader", false),
    ("java/io/PrintStream", true),
    ("java/io/Serializable", true),
    ("java/io/IOException", true),
    ("java/io/FileNotFoundException", true),
    ("java/io/EOFException", true),
    ("java/io/UncheckedIOException", true),
    ("java/io/Closeable", true),
    ("java/io/Reader", true),
    ("java/io/BufferedReader", true),
    ("java/io/StringReader", true),
    ("jdk/internal/access/JavaUtilCollectionAccess", true),
    ("jdk/internal/math/", true),
    ("jdk/internal/util/ArraysSupport", true),
    ("jdk/internal/util/Preconditions", true),
];

/// Whether a class of the JDK is taken as it is, not answered with unknown.
pub fn is_modelled(class: &str) -> bool {
    let is_part = |name: &str| match class.strip_prefix(name) {
        Some(rest) => name.ends_with('/') || rest.is_empty() || rest.starts_with('$'),
        None => false,
    };
    let known = PACKAGES.iter().filter(|(name, _)| is_part(name));
    known.max_by_key(|(prefix, _)| prefix.len()).is_none_or(|(_, modelled)| *modelled)
}
