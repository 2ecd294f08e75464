import Domain
import Testing

@Suite struct FilmSearchTests {
    @Test(arguments: [
        ("Parasite", true), ("君の名は", true), ("Брат", true), ("기생충", false), ("F1 더 무비", false), ("1987", false),
        ("F1", false), ("", false),
    ])
    func `a title in another script than the catalogue's is foreign`(title: String, isForeign: Bool) {
        #expect(FilmSearch(title: title).hasForeignTitle == isForeign)
    }
}
