internal import Domain
internal import Upstream

// The lists of a film record. Elements without a name are left out.

struct NationRow: Decodable {
    let name: String?

    private enum CodingKeys: CodingKey {
        case nationNm
    }

    init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).textIfKnown(.nationNm)
    }
}

struct GenreRow: Decodable {
    let name: String?

    private enum CodingKeys: CodingKey {
        case genreNm
    }

    init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).textIfKnown(.genreNm)
    }
}

/// A director or an actor; only actors have a role.
struct PersonRow: Decodable {
    let director: Person?
    let actor: CastMember?

    private enum CodingKeys: String, CodingKey {
        case peopleNm, peopleNmEn
        case role = "cast"
        case roleEnglish = "castEn"
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        let english = try row.textIfKnown(.peopleNmEn)
        let role = try row.textIfKnown(.role) ?? row.textIfKnown(.roleEnglish)
        // Some people of foreign films have a name in Latin letters only.
        let name = try row.textIfKnown(.peopleNm) ?? english
        director = name.map { Person(name: $0, nameEnglish: english) }
        actor = name.map { CastMember(name: $0, nameEnglish: english, role: role) }
    }
}

struct ShowTypeRow: Decodable {
    /// "2D 디지털"; once when group and name are the same.
    let name: String?

    private enum CodingKeys: CodingKey {
        case showTypeGroupNm, showTypeNm
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        let group = try row.textIfKnown(.showTypeGroupNm)
        let own = try row.textIfKnown(.showTypeNm)
        let words = [group, own == group ? nil : own].compactMap { $0 }
        name = words.isEmpty ? nil : words.joined(separator: " ")
    }
}

struct CompanyRow: Decodable {
    let company: Company?

    private enum CodingKeys: CodingKey {
        case companyNm, companyPartNm
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        let part = try row.textIfKnown(.companyPartNm) ?? ""
        company = try row.textIfKnown(.companyNm).map { Company(name: $0, part: part) }
    }
}

struct RatingRow: Decodable {
    let rating: Rating?

    private enum CodingKeys: CodingKey {
        case auditNo, watchGradeNm
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        let number = try row.textIfKnown(.auditNo)
        let grade = try row.textIfKnown(.watchGradeNm)
        rating = number == nil && grade == nil ? nil : Rating(number: number, grade: grade ?? "")
    }
}
